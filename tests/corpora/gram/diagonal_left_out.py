# expect: SYM602 safe scope=overlap

import numpy as np


def overlap(basis: np.ndarray):
    size = len(basis)
    assert basis.ndim == 2
    matrix = np.zeros((size, size))
    for i in range(size - 1):
        for j in range(i + 1, size):
            matrix[i, j] = np.sum(basis[i] * basis[j])
            matrix[j, i] = matrix[i, j]
    return matrix


def cases(rng):
    for shape in ((5, 3), (2, 4), (7, 1), (3, 0)):
        yield "overlap", (rng.random(shape),), {}
    yield "overlap", (rng.random((5, 4)).T,), {}
