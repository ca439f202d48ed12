# refuse: the sum goes on from cell to cell

import numpy as np


def no_reset(A, B):
    n = A.shape[0]
    C = np.zeros((n, n))
    for i in range(n):
        s = 0.0
        for j in range(n):
            for p in range(n):
                s += A[i, p] * B[p, j]
            C[i, j] = s
    return C


def cases(rng):
    yield "no_reset", (rng.random((5, 5)), rng.random((5, 5))), {}
