# refuse: LOC303 the last window is cut off by the end of the array
import numpy as np


def sums(x: np.ndarray, w: np.ndarray):
    (n,) = x.shape
    (k,) = w.shape
    count = (n - k) // 2 + 2
    out = np.zeros(count)
    for i in range(count):
        out[i] = np.sum(x[2 * i : 2 * i + k] * w[0])
    return out


def cases(rng):
    yield "sums", (rng.normal(size=7), rng.normal(size=3)), {}
    yield "sums", (rng.normal(size=4), rng.normal(size=3)), {}
