# expect: LOC306 safe scope=batch3
import numpy as np


def batch3(a, b):
    B, n = a.shape
    m = b.shape[1]
    out = np.zeros((B, n, m))
    for k in range(B):
        for i in range(n):
            for j in range(m):
                out[k, i, j] = a[k, i] - b[k, j]
    return out


def cases(rng):
    yield "batch3", (rng.random((2, 5)), rng.random((2, 3))), {}
