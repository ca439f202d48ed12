# refuse: SYM602 the diagonal is added to twice

import numpy as np


def gram(A):
    n, d = A.shape
    G = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            s = A[i] @ A[j]
            G[i, j] += s
            G[j, i] += s
    return G


def cases(rng):
    yield "gram", (rng.random((4, 3)),), {}
    yield "gram", (rng.random((1, 3)),), {}
