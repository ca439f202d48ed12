# expect: ASC106 safe scope=lower
# may: LOC301 safe scope=lower_pairs
# may: ASC106 safe|advice scope=upper

import numpy as np


def lower(a: np.ndarray, b: np.ndarray):
    n, m = a.shape
    y = np.zeros(n)
    for i in range(n):
        y[i] = sum(a[i, k] * b[k] for k in range(i + 1))
    return y


def lower_pairs(a: np.ndarray):
    n, m = a.shape
    y = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            y[i, j] = sum(a[i, k] * a[j, k] for k in range(i))
    return y


def upper(a: np.ndarray, b: np.ndarray):
    n, m = a.shape
    y = np.zeros(n)
    for i in range(n):
        total = 0.0
        for k in range(i, n):
            total += a[i, k] * b[k]
        y[i] = total
    return y


def cases(rng):
    yield "lower", (rng.random((4, 4)), rng.random(4)), {}
    yield "lower_pairs", (rng.random((4, 4)),), {}
    yield "upper", (rng.random((4, 4)), rng.random(4)), {}
