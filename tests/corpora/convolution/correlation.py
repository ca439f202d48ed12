# expect: LOC303 safe scope=corr
import numpy as np


def corr(x, w):
    n, k = len(x), len(w)
    out = np.zeros(max(n - k + 1, 0))
    for i in range(n - k + 1):
        for j in range(k):
            out[i] += x[i + j] * w[j]
    return out


def cases(rng):
    yield "corr", (rng.random(9), rng.random(3)), {}
    yield "corr", (rng.random(2), rng.random(3)), {}
