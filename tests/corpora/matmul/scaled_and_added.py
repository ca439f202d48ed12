# expect: LOC301 safe scope=gemm

import numpy as np


def gemm(alpha, A, B, beta, C: np.ndarray):
    n, k = A.shape
    m = B.shape[1]
    for i in range(n):
        for j in range(m):
            C[i, j] = beta * C[i, j]
            for p in range(k):
                C[i, j] += alpha * A[i, p] * B[p, j]
    return C


def cases(rng):
    yield "gemm", (2.5, rng.random((5, 3)), rng.random((3, 4)), 0.5, rng.random((5, 4))), {}
