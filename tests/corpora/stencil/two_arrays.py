# expect: LOC302 safe scope=two
import numpy as np


def two(x):
    n = len(x)
    lo, hi = np.zeros(n), np.zeros(n)
    for i in range(1, n - 1):
        lo[i] = min(x[i - 1], x[i + 1])
        hi[i] = max(x[i - 1], x[i + 1])
    return lo, hi


def cases(rng):
    yield "two", (rng.random(9),), {}
    yield "two", (rng.random(2),), {}
