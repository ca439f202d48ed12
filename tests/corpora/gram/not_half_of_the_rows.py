# refuse: SYM602 only some of the rows are mirrored

import numpy as np


def gram(A):
    n, d = A.shape
    G = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n - 1):
            G[i, j] = A[i] @ A[j]
            G[j, i] = G[i, j]
    return G


def cases(rng):
    yield "gram", (rng.random((4, 3)),), {}
    yield "gram", (rng.random((1, 3)),), {}
