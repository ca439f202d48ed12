# expect: LOC301 safe scope=parts_from_one

import numpy as np


def parts_from_one(A, B):
    n, k = A.shape
    m = B.shape[1]
    C = np.zeros((n, m))
    for i in range(1, n):
        for j in range(1, m):
            for p in range(1, k):
                C[i - 1, j] += A[i, p] * B[p, j]
    return C


def cases(rng):
    yield "parts_from_one", (rng.random((5, 3)), rng.random((3, 4))), {}
