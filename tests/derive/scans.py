"""Loops that keep running values and have a monoid, in the manners of their users."""

import math
from collections import deque
from itertools import accumulate

import numpy as np


def smoothed(xs, a):
    s, out = 0.0, []
    for x in xs:
        s = a * s + (1 - a) * x
        out.append(s)
    return out


def by_function(xs, a):
    return list(accumulate(xs, lambda s, x: a * s + (1 - a) * x))


def highest(xs):
    return list(accumulate(xs, max, initial=0))


def by_walrus(xs, a):
    s = 0
    return [s := s * a + x for x in xs]


def yielded(xs):
    level = 0
    for x in xs:
        level = max(level + x, 0)
        yield level


def before_the_step(xs):
    s, out = 0, []
    for x in xs:
        out.append(s)
        s += x
    return out


def some_of_them(xs):
    """Only some steps keep a value."""
    top, records = -math.inf, []
    for x in xs:
        if x > top:
            top = x
            records.append(top)
    return records


def two_states(xs):
    n, total, means = 0, 0, []
    for x in xs:
        n += 1
        total += x
        mean = total / n
        means.append(mean)
    return means


def turned(rewards, gamma):
    r, returns = 0.0, []
    for reward in reversed(rewards):
        r = reward + gamma * r
        returns.append(r)
    returns.reverse()
    return returns


def as_array(xs, w):
    h = 0.0
    out = []
    for x in xs:
        h = w * h + x
        out.append(h)
    return np.array(out)


def with_resets(pairs):
    run, runs = 0, []
    for value, done in pairs:
        run = 0 if done else run + value
        runs.append((run, value))
    return runs


def by_places(xs, k):
    s, out = 0, []
    for i in range(len(xs)):
        s = s + xs[i] * k
        out.append(s % 7)
    return out


class Meter:
    def levels(self, xs):
        level, out = 0, []
        for x in xs:
            level = min(max(level + x, -5), 5)
            out.append(level)
        return out


def prefixes_of_what_is_there(xs):
    out = [0]
    for x in xs:
        out.append(out[-1] + x)
    return out


def means_of_the_last_few(xs):
    kept, means = deque(maxlen=3), []
    for x in xs:
        kept.append(x)
        means.append(sum(kept) / len(kept))
    return means


def after_the_first_three(xs):
    first, rest = [], []
    for x in xs:
        if len(first) < 3:
            first.append(x)
        else:
            rest.append(x)
    return rest


def filled_array(xs, w):
    level = 0.0
    out = np.zeros(len(xs))
    for i in range(len(xs)):
        level = w * level + xs[i]
        out[i] = level
    return out


def filled_and_enumerated(xs, w):
    out = np.empty_like(xs)
    level = 0.0
    for i, x in enumerate(xs):
        level = max(level + x, w)
        out[i] = level
    return out


def returns_from_the_end(rewards, gamma):
    ret = 0.0
    out = [0.0] * len(rewards)
    for t in reversed(range(len(rewards))):
        ret = rewards[t] + gamma * ret
        out[t] = ret
    return out


def put_in_front(rewards, gamma):
    ret, out = 0.0, []
    for r in reversed(rewards):
        ret = r + gamma * ret
        out.insert(0, ret)
    return out


def put_in_front_of_a_deque(xs):
    best = 0
    out = deque()
    for x in xs:
        best = max(best, x)
        out.appendleft(best)
    return out


def a_place_after_the_step(xs):
    total = 0
    out = np.zeros(len(xs) + 1)
    for t in range(len(xs)):
        total = total + xs[t]
        out[t + 1] = total
    return out


def named_as_what_follows(xs, a):
    h, ys = 0.0, []
    for x in xs:
        h = a * h + x
        y = 2 * h
        ys.append(y)
    y = ys
    return y


def standardised_by_running_moments(xs: np.ndarray, a: float):
    m = v = np.zeros(3)
    out = []
    for x in xs:
        m = a * m + (1 - a) * x
        v = a * v + (1 - a) * x * x
        out.append(m / (np.sqrt(v) + 1))
    return out


def columns_within_bounds(x: np.ndarray):
    level = np.zeros(x.shape[0])
    out = []
    for t in range(x.shape[1]):
        level = np.maximum(level + x[:, t], 0.0)
        out.append(level)
    return out


def by_the_row_before(xs, a):
    y = np.zeros(len(xs) + 1)
    for i in range(len(xs)):
        y[i + 1] = a * y[i] + xs[i]
    return y


def normalised_rows(obs, A, start):
    steps, states = obs.shape
    alpha = np.zeros((steps, states))
    alpha[0] = start * obs[0]
    for t in range(1, steps):
        alpha[t] = (alpha[t - 1] @ A) * obs[t]
        alpha[t] /= alpha[t].sum()
    return alpha
