# refuse: SYM602 every step cuts off a fraction

import numpy as np


def gram(A):
    n, d = A.shape
    G = np.zeros((n, n), dtype=int)
    for i in range(n):
        for j in range(i, n):
            for k in range(d):
                G[i, j] += A[i, k] * A[j, k]
            G[j, i] = G[i, j]
    return G


def cases(rng):
    yield "gram", (rng.integers(0, 9, (4, 3)),), {}
    yield "gram", (rng.integers(0, 9, (1, 3)),), {}
