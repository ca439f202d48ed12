# expect: LOC301 safe scope=tiles

import numpy as np


def tiles(A, B, bs):
    n, k = A.shape
    _, m = B.shape
    C = np.zeros((n, m))
    for i0 in range(0, n, bs):
        for j0 in range(0, m, bs):
            for k0 in range(0, k, bs):
                for i in range(i0, min(i0 + bs, n)):
                    for j in range(j0, min(j0 + bs, m)):
                        for p in range(k0, min(k0 + bs, k)):
                            C[i, j] += A[i, p] * B[p, j]
    return C


def cases(rng):
    yield "tiles", (rng.random((5, 7)), rng.random((7, 4)), 3), {}
