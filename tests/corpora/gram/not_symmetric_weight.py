# refuse: SYM602 the weight belongs to the row only

import numpy as np


def weighted(A, w):
    n, d = A.shape
    G = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            s = 0.0
            for k in range(d):
                s += w[i] * A[i, k] * A[j, k]
            G[i, j] = s
            G[j, i] = s
    return G


def cases(rng):
    yield "weighted", (rng.random((4, 3)), rng.random(4)), {}
    yield "weighted", (rng.random((1, 3)), rng.random(1)), {}
