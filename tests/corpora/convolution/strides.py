# expect: LOC303 safe scope=strided
import numpy as np


def strided(x: np.ndarray, w: np.ndarray):
    n, k = x.shape[0], w.shape[0]
    m = (n - k) // 2 + 1
    out = np.zeros(max(m, 0))
    for i in range(m):
        for j in range(k):
            out[i] += x[2 * i + j] * w[j]
    return out


def cases(rng):
    yield "strided", (rng.random(9), rng.random(3)), {}
    yield "strided", (rng.random(2), rng.random(3)), {}
