# expect: LOC301 safe scope=two_terms

import numpy as np


def two_terms(A, B, D, E):
    n, k = A.shape
    m = B.shape[1]
    C = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            for p in range(k):
                C[i, j] += A[i, p] * B[p, j] - D[i, p] * E[p, j]
    return C


def cases(rng):
    yield (
        "two_terms",
        (rng.random((5, 3)), rng.random((3, 4)), rng.random((5, 3)), rng.random((3, 4))),
        {},
    )
