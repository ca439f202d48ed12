# expect: LOC302 safe scope=rows
import numpy as np


def rows(u):
    out = np.zeros(u.shape)
    n, m = u.shape
    for i in range(1, n):
        out[i] = u[i] - u[i - 1]
    return out


def cases(rng):
    yield "rows", (rng.random((5, 7)),), {}
    yield "rows", (rng.random((3, 1)),), {}
