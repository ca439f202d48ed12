# refuse: SYM602 the rows of two arrays are multiplied, and one triangle is copied to the other

import numpy as np


def products(A, B):
    n, d = A.shape
    G = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            s = 0.0
            for k in range(d):
                s += A[i, k] * B[j, k]
            G[i, j] = s
            G[j, i] = s
    return G


def cases(rng):
    yield "products", (rng.random((4, 3)), rng.random((4, 3))), {}
    yield "products", (rng.random((1, 3)), rng.random((1, 3))), {}
