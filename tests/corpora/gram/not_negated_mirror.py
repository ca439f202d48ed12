# refuse: SYM602 the other triangle has the other sign

import numpy as np


def skew(A):
    n, d = A.shape
    G = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1, n):
            s = 0.0
            for k in range(d):
                s += A[i, k] * A[j, k]
            G[i, j] = s
            G[j, i] = -s
    return G


def cases(rng):
    yield "skew", (rng.random((4, 3)),), {}
    yield "skew", (rng.random((1, 3)),), {}
