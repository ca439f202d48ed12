# expect: LOC301 safe scope=distances
# expect: LOC301 safe|unsafe scope=of_two
# expect: LOC306 safe scope=weights
"""Quadratic forms of each row, in a list, and sums of exponentials of each row."""

import numpy as np


def distances(x: np.ndarray, precision: np.ndarray):
    n, k = x.shape
    centred = x - x.mean(axis=0)
    return np.array([row @ precision @ row for row in centred])


def of_two(x: np.ndarray, y: np.ndarray, form: np.ndarray):
    n, k = x.shape
    m, j = y.shape
    return np.array([a @ form @ b for a, b in zip(x, y)])


def weights(x: np.ndarray):
    n, k = x.shape
    out = np.zeros(n)
    for i in range(n):
        out[i] = np.exp(x[i]).sum()
    return out


def cases(rng):
    for n, k, m in [(3, 4, 2), (1, 1, 1), (5, 2, 3)]:
        x = rng.normal(size=(n, k))
        yield "distances", (x, rng.normal(size=(k, k))), {}
        yield "of_two", (x, rng.normal(size=(n, m)), rng.normal(size=(k, m))), {}
        yield "weights", (x,), {}
