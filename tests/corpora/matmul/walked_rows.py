# expect: LOC301 safe scope=rows

import numpy as np


def rows(A, B):
    C = np.zeros((A.shape[0], B.shape[1]))
    for i, row in enumerate(A):
        for p, a in enumerate(row):
            C[i] += a * B[p]
    return C


def cases(rng):
    yield "rows", (rng.random((5, 3)), rng.random((3, 4))), {}
    yield "rows", (rng.random((1, 2)), rng.random((2, 1))), {}
