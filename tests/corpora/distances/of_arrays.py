# expect: SEP205 safe scope=npy
import numpy as np


def npy(x: np.ndarray, y: np.ndarray):
    n, d = x.shape
    m, _ = y.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = ((x[i] - y[j]) ** 2).sum()
    return out


def cases(rng):
    yield "npy", (rng.random((5, 3)), rng.random((4, 3))), {}
    yield "npy", (rng.random((37, 7)), rng.random((41, 7))), {}
    yield "npy", (rng.integers(0, 9, (37, 7)), rng.integers(0, 9, (41, 7))), {}
