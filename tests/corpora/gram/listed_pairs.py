# expect: SYM602 safe scope=f
import numpy as np


def f(x: np.ndarray):
    assert x.ndim == 2
    return np.array([[np.dot(a, b) for b in x] for a in x])


def cases(rng):
    for n, d in ((1, 1), (2, 3), (7, 5), (3, 130)):
        yield "f", (rng.normal(size=(n, d)),), {}
    yield "f", (rng.normal(size=(5, 7)).T,), {}
    yield "f", (rng.normal(size=(6, 4))[::2],), {}
    yield "f", (rng.normal(size=(4, 3)).astype(np.float32),), {}
