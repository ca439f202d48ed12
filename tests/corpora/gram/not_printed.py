# refuse: SYM602 each pair is printed

import numpy as np


def gram(A):
    n, d = A.shape
    G = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            G[i, j] = G[j, i] = A[i] @ A[j]
            print(i, j)
    return G


def cases(rng):
    yield "gram", (rng.random((4, 3)),), {}
    yield "gram", (rng.random((1, 3)),), {}
