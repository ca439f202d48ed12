# expect: SEP202 safe scope=downdate

import numpy as np


def downdate(matrix: np.ndarray, left: np.ndarray, right: np.ndarray, v: np.ndarray):
    n, m = matrix.shape
    n, k = left.shape
    (n,) = v.shape
    reduced = matrix - left @ right.T
    return v @ reduced


def cases(rng):
    for matrix, k in ((rng.random((5, 4)), 2), (rng.random((4, 5)).T, 1)):
        yield "downdate", (matrix, rng.random((5, k)), rng.random((4, k)), rng.random(5)), {}
