# expect: LOC301 safe scope=gen

import numpy as np


def gen(A, B):
    n, k = A.shape
    m = B.shape[1]
    C = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            C[i, j] = sum(A[i, p] * B[p, j] for p in range(k))
    return C


def cases(rng):
    yield "gen", (rng.random((5, 3)), rng.random((3, 4))), {}
    yield "gen", (rng.random((1, 2)), rng.random((2, 1))), {}
