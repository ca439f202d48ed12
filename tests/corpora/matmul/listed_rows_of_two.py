# expect: LOC301 safe scope=f
import numpy as np


def f(x: np.ndarray, y: np.ndarray):
    d = x.shape[1]
    assert x.ndim == 2 and y.ndim == 2
    return 1.0 / (1.0 + np.array([[a @ b for b in y] for a in x]) ** 2) + d


def cases(rng):
    for n, m, d in ((1, 1, 1), (2, 4, 3), (7, 3, 5)):
        yield "f", (rng.normal(size=(n, d)), rng.normal(size=(m, d))), {}
    yield "f", (rng.normal(size=(3, 5)).T, rng.normal(size=(8, 3))[::2]), {}
