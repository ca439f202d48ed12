# expect: LOC301 safe scope=tapered
import numpy as np


def tapered(x: np.ndarray):
    n, m = x.shape
    out = np.zeros(n)
    for i in range(n):
        for j in range(m):
            out[i] += x[i, j] * np.exp(-j / m)
    return out


def cases(rng):
    yield "tapered", (rng.standard_normal((8, 5)),), {}
    yield "tapered", (rng.standard_normal((8, 5)).astype(np.float32),), {}
