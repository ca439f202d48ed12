# expect: LOC303 safe scope=batch
import numpy as np


def batch(x: np.ndarray, w: np.ndarray):
    B, n = x.shape
    k = w.shape[0]
    out = np.zeros((B, max(n - k + 1, 0)))
    for b in range(B):
        for i in range(n - k + 1):
            for j in range(k):
                out[b, i] += x[b, i + j] * w[j]
    return out


def cases(rng):
    yield "batch", (rng.random((2, 9)), rng.random(3)), {}
