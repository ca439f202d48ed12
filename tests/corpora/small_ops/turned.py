# expect: LOC306 safe scope=transposed
import numpy as np


def transposed(x):
    n, m = x.shape
    out = np.zeros((m, n))
    for i in range(n):
        for j in range(m):
            out[j, i] = 2 * x[i, j]
    return out


def cases(rng):
    yield "transposed", (rng.random((5, 3)),), {}
