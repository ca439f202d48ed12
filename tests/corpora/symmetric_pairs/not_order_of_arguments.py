# refuse: SYM601 matrices do not commute

import numpy as np


def products(A: np.ndarray):
    n, d, e = A.shape
    out = np.zeros((n, n, d, d))
    for i in range(n):
        for j in range(n):
            out[i, j] = A[i] @ A[j]
    return out


def cases(rng):
    yield "products", (rng.random((3, 2, 2)),), {}
