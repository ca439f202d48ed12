# expect: ASC105 safe scope=means
# expect: ASC105 safe scope=before
# expect: ASC105 safe scope=left
# expect: ASC105 safe scope=growth
# expect: ASC105 safe scope=spread
import numpy as np


def means(values):
    total = 0.0
    found = np.empty(len(values))
    for i in range(len(values)):
        total += values[i]
        mean = total / (i + 1)
        found[i] = mean
    return found


def before(values):
    total = 0.0
    found = np.zeros(len(values))
    for i, value in enumerate(values):
        found[i] = total
        total = total + value
    return found


def left(costs):
    budget = costs.sum()
    spent = 0.0
    rest = np.zeros(len(costs))
    for i in range(len(costs)):
        rest[i] = budget - spent
        spent += costs[i]
    return rest


def growth(returns):
    wealth = 1.0
    gained = np.empty(len(returns))
    for i in range(len(returns)):
        wealth *= 1 + returns[i]
        gained[i] = wealth - 1
    return gained


def spread(values):
    total = squares = 0.0
    found = np.zeros(len(values))
    for i in range(len(values)):
        total += values[i]
        squares += values[i] ** 2
        found[i] = squares / (i + 1) - (total / (i + 1)) ** 2
    return found


def cases(rng):
    for n in (1, 2, 33):
        for dtype in (np.float64, np.float32):
            values = rng.standard_normal(n).astype(dtype)
            for name in ("means", "before", "left", "growth", "spread"):
                yield name, (values / 4,), {}
        for name in ("means", "before", "growth"):
            yield name, (np.repeat(rng.standard_normal(n), 2)[::2],), {}
