# expect: LOC303 safe scope=means
# expect: LOC303 safe scope=largest
import numpy as np


def means(x: np.ndarray, r: int):
    n, d = x.shape
    out = np.zeros((n, d))
    for i in range(n):
        out[i] = x[max(0, i - r) : i + r + 1].mean(axis=0)
    return out


def largest(x: np.ndarray, r: int):
    n, d = x.shape
    out = np.zeros((n, d))
    for t in range(d):
        out[:, t] = np.max(x[:, max(0, t - r) : t + 1], axis=1)
    return out


def cases(rng):
    yield "means", (rng.standard_normal((9, 3)), 2), {}
    yield "means", (rng.standard_normal((2, 3)), 4), {}
    yield "largest", (rng.standard_normal((4, 7)), 2), {}
