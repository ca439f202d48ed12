# expect: LOC303 safe scope=conv
import numpy as np


def conv(x: np.ndarray, w: np.ndarray):
    n, k = x.shape[0], w.shape[0]
    out = np.zeros(max(n - k + 1, 0))
    for i in range(n - k + 1):
        for j in range(k):
            out[i] += x[i + k - 1 - j] * w[j]
    return out


def cases(rng):
    yield "conv", (rng.random(9), rng.random(3)), {}
    yield "conv", (rng.random(2), rng.random(3)), {}
