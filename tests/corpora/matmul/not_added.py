# refuse: the last product is kept

import numpy as np


def overwrite(A, B):
    n = A.shape[0]
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for p in range(n):
                C[i, j] = A[i, p] * B[p, j]
    return C


def cases(rng):
    yield "overwrite", (rng.random((5, 5)), rng.random((5, 5))), {}
