# expect: SYM602 safe scope=f
import numpy as np


def f(x: np.ndarray):
    n, d = x.shape
    return np.array([[np.sum(x[i] * x[j]) for j in range(n)] for i in range(n)]) ** 2 / n


def cases(rng):
    for n, d in ((1, 1), (2, 3), (7, 5), (3, 130)):
        yield "f", (rng.normal(size=(n, d)),), {}
    yield "f", (rng.normal(size=(5, 7)).T,), {}
    yield "f", (rng.normal(size=(6, 4))[::2],), {}
    yield "f", (rng.normal(size=(4, 3)).astype(np.float32),), {}
