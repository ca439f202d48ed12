# refuse: SYM602 the mirrored cell is another one

import numpy as np


def gram(A):
    n, d = A.shape
    G = np.zeros((n, n + 1))
    for i in range(n):
        for j in range(i, n):
            s = 0.0
            for k in range(d):
                s += A[i, k] * A[j, k]
            G[i, j] = s
            G[j, i + 1] = s
    return G


def cases(rng):
    yield "gram", (rng.random((4, 3)),), {}
    yield "gram", (rng.random((1, 3)),), {}
