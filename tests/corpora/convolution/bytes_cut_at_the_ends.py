# expect: LOC303 safe scope=sums
# expect: LOC303 safe scope=means
import numpy as np


def sums(x, r):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = np.sum(x[max(0, i - r) : i + r + 1])
    return out


def means(x, r):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = np.mean(x[max(0, i - r) : i + r + 1])
    return out


def cases(rng):
    for function in ("sums", "means"):
        yield function, (rng.standard_normal(9) > 0, 2), {}
        yield function, (rng.integers(0, 255, 9).astype(np.uint8), 2), {}
        yield function, (rng.standard_normal(9), 2), {}
