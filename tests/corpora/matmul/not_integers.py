# refuse: every step cuts off a fraction

import numpy as np


def int_out(A, B):
    n, k = A.shape
    m = B.shape[1]
    C = np.zeros((n, m), dtype=int)
    for i in range(n):
        for j in range(m):
            for p in range(k):
                C[i, j] += A[i, p] * B[p, j]
    return C


def cases(rng):
    yield "int_out", (rng.random((5, 3)), rng.random((3, 4))), {}
    yield "int_out", (rng.random((1, 2)), rng.random((2, 1))), {}
