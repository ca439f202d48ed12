# refuse: SEP205 NumPy has no such function
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
    x = rng.random((5, 3))
    y = rng.random((4, 3))
    yield "npy", (x, y), {}
