# refuse: SYM602 the diagonal is given something else

import numpy as np


def correlations(A: np.ndarray):
    n, d = A.shape
    C = np.zeros((n, n))
    for i in range(n):
        C[i, i] = 1.0
        for j in range(i):
            C[i, j] = C[j, i] = A[i] @ A[j] / d
    return C


def cases(rng):
    yield "correlations", (rng.random((4, 3)),), {}
    yield "correlations", (rng.random((1, 3)),), {}
