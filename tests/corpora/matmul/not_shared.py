# refuse: the result is one of the operands

import numpy as np


def alias(A: np.ndarray, B: np.ndarray):
    n, k = A.shape
    C = A
    for i in range(n):
        for j in range(n):
            for p in range(n):
                C[i, j] += A[i, p] * B[p, j]
    return C


def cases(rng):
    yield "alias", (rng.random((5, 5)), rng.random((5, 5))), {}
