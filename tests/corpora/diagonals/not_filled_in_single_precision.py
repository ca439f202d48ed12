# refuse: what is written into the matrix is rounded to another precision
import numpy as np


def filled(a: np.ndarray, v: np.ndarray):
    n, m = a.shape
    (m,) = v.shape
    d = np.zeros((m, m), dtype=np.float32)
    np.fill_diagonal(d, v)
    return a @ d


def cases(rng):
    yield "filled", (rng.random((4, 3)), rng.random(3)), {}
    yield "filled", (rng.random((1, 1)), rng.random(1)), {}
