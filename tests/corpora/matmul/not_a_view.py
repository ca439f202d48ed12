# refuse: the result is a view of an operand

import numpy as np


def transposed_view(A: np.ndarray, B: np.ndarray):
    n = A.shape[0]
    C = A.T
    for i in range(n):
        for j in range(n):
            for p in range(n):
                C[i, j] += A[i, p] * B[p, j]
    return C


def cases(rng):
    yield "transposed_view", (rng.random((5, 5)), rng.random((5, 5))), {}
