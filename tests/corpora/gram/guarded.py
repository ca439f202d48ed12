# expect: SYM602 safe scope=gram

import numpy as np


def gram(A):
    n, d = A.shape
    G = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if j < i:
                continue
            total = 0.0
            for k in range(d):
                total += A[j, k] * A[i, k]
            G[i, j] = total
            G[j, i] = total
    return G


def cases(rng):
    for shape in ((5, 3), (1, 4), (7, 1)):
        yield "gram", (rng.random(shape),), {}
