# expect: SYM602 safe scope=gram

import numpy as np


def gram(A):
    n, d = A.shape
    G = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            s = 0.0
            for k in range(d):
                s += A[i, k] * A[j, k]
            G[i, j] = s
            G[j, i] = s
    return G


def cases(rng):
    for shape in ((5, 3), (1, 4), (7, 1), (4, 0), (0, 2)):
        yield "gram", (rng.random(shape),), {}
    yield "gram", (rng.random((6, 8))[::2, ::-1],), {}
