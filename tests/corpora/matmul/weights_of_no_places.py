# expect: LOC301 safe scope=weighted
import numpy as np


def weighted(x: np.ndarray):
    n, m = x.shape
    out = np.zeros(n)
    for i in range(n):
        for j in range(m):
            out[i] += x[i, j] * np.cos(np.pi / m * (j + 0.5))
    return out


def cases(rng):
    yield "weighted", (rng.standard_normal((8, 5)),), {}
    yield "weighted", (rng.standard_normal((8, 0)),), {}
    yield "weighted", (rng.standard_normal((0, 0)),), {}
