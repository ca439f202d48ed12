# refuse: SYM602 each row sums up the pairs of one triangle

import numpy as np


def triangle_sums(A: np.ndarray):
    n, d = A.shape
    total = np.zeros(n)
    for i in range(n):
        for j in range(i, n):
            total[i] += A[i] @ A[j]
    return total


def cases(rng):
    yield "triangle_sums", (rng.random((4, 3)),), {}
    yield "triangle_sums", (rng.random((1, 3)),), {}
