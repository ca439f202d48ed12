# refuse: the last tile is kept

import numpy as np


def last_tile(A, B):
    n, k = A.shape
    m = B.shape[1]
    C = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            for p0 in range(0, k, 4):
                s = 0.0
                for p in range(p0, min(p0 + 4, k)):
                    s += A[i, p] * B[p, j]
                C[i, j] = s
    return C


def cases(rng):
    yield "last_tile", (rng.random((5, 3)), rng.random((3, 4))), {}
    yield "last_tile", (rng.random((1, 2)), rng.random((2, 1))), {}
