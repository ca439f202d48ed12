# refuse: SYM604 a filter shorter than the signal comes round again
import numpy as np


def lower(h: np.ndarray, x: np.ndarray):
    (n,) = x.shape
    (m,) = h.shape
    matrix = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            matrix[i, j] = h[(i - j) % m]
    return matrix @ x


def cases(rng):
    yield "lower", (rng.standard_normal(3), rng.standard_normal(7)), {}
