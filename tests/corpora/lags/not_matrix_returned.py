# refuse: SYM603 the matrix is returned as well
import numpy as np
from scipy.linalg import circulant


def f(x: np.ndarray, c: np.ndarray):
    assert x.ndim == 1
    matrix = circulant(c)
    return matrix @ x, matrix


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
    yield "f", (rng.normal(size=18)[::2], rng.normal(size=9)[::-1]), {}
