# refuse: Python's integers have no largest
import numpy as np


def first_moment(x: np.ndarray):
    n, m = x.shape
    out = np.zeros(n)
    for i in range(n):
        for j in range(m):
            out[i] += x[i, j] * j
    return out


def cases(rng):
    yield "first_moment", (rng.integers(0, 100, (8, 5)).astype(np.int8),), {}
    yield "first_moment", (rng.standard_normal((8, 5)),), {}
