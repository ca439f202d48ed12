# expect: LOC301 safe scope=outer_sum

import numpy as np


def outer_sum(A, B):
    C = np.zeros((A.shape[0], B.shape[1]))
    for p in range(A.shape[1]):
        C += np.outer(A[:, p], B[p, :])
    return C


def cases(rng):
    yield "outer_sum", (rng.random((5, 3)), rng.random((3, 4))), {}
    yield "outer_sum", (rng.random((1, 2)), rng.random((2, 1))), {}
