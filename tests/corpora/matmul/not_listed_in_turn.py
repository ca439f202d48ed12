# refuse: LOC301 the second matrix is not read by its rows
import numpy as np


def f(x: np.ndarray, y: np.ndarray):
    n, m = len(x), len(y)
    assert x.ndim == 2 and y.ndim == 2
    return np.array([[x[i] @ y[(i + j) % m] for j in range(m)] for i in range(n)])


def cases(rng):
    for n, m, d in ((1, 1, 1), (2, 4, 3), (7, 3, 5)):
        yield "f", (rng.normal(size=(n, d)), rng.normal(size=(m, d))), {}
    yield "f", (rng.normal(size=(3, 5)).T, rng.normal(size=(8, 3))[::2]), {}
