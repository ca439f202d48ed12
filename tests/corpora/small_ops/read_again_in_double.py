# expect: LOC306 safe scope=sums
import numpy as np


def sums(x: np.ndarray, y: np.ndarray):
    n, m = x.shape
    assert y.shape == (n, m)
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = x[i, j]
            out[i, j] = out[i, j] + y[i, j]
    return out


def cases(rng):
    yield "sums", (rng.standard_normal((2, 3)), rng.standard_normal((2, 3))), {}
    yield "sums", (rng.standard_normal((0, 3)), rng.standard_normal((0, 3))), {}
