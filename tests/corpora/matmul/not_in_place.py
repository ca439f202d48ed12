# refuse: later products read what earlier ones wrote

import numpy as np


def inplace(A: np.ndarray, B: np.ndarray):
    n = A.shape[0]
    for i in range(n):
        for j in range(n):
            for p in range(n):
                A[i, j] += A[i, p] * B[p, j]
    return A


def cases(rng):
    yield "inplace", (rng.random((5, 5)), rng.random((5, 5))), {}
