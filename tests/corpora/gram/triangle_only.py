# expect: SYM602 safe scope=upper

import numpy as np


def upper(A: np.ndarray):
    n, d = A.shape
    G = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            for k in range(d):
                G[i, j] += A[i, k] * A[j, k]
    return G


def cases(rng):
    for shape in ((5, 3), (1, 4), (7, 1)):
        yield "upper", (rng.random(shape),), {}
