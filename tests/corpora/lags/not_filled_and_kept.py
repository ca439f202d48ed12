# refuse: SYM603 the matrix that the loops fill has another name
import numpy as np


def f(x: np.ndarray, c: np.ndarray):
    (n,), (n,) = x.shape, c.shape
    matrix = np.zeros((n, n))
    kept = matrix
    for i in range(n):
        for j in range(n):
            matrix[i, j] = c[(i - j) % n]
    return matrix @ x, kept


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
    yield "f", (rng.normal(size=18)[::2], rng.normal(size=9)[::-1]), {}
