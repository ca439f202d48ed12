# expect: LOC301 safe scope=ijk

import numpy as np


def ijk(A, B):
    n, k = A.shape
    m = B.shape[1]
    C = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            for p in range(k):
                C[i, j] += A[i, p] * B[p, j]
    return C


def cases(rng):
    yield "ijk", (rng.random((5, 3)), rng.random((3, 4))), {}
    yield "ijk", (rng.random((1, 2)), rng.random((2, 1))), {}
