# expect: LOC303 safe scope=windows
# expect: LOC303 safe scope=slices
import numpy as np


def windows(x: np.ndarray, h: np.ndarray):
    (n,), (m,) = x.shape, h.shape
    y = np.zeros(n - m + 1)
    for i in range(n - m + 1):
        for k in range(2, m):
            y[i] += x[i + k] * h[k]
    return y


def slices(x: np.ndarray, h: np.ndarray):
    (n,), (m,) = x.shape, h.shape
    y = np.zeros(n - m + 1)
    for k in range(1, m):
        y += x[k : k + n - m + 1] * h[k]
    return y


def cases(rng):
    for n, m in ((7, 4), (5, 5), (3, 1), (3, 0), (1, 1)):
        for name in ("windows", "slices"):
            yield name, (rng.normal(size=n), rng.normal(size=m)), {}
