# refuse: SYM602 the rows of the list get longer
import numpy as np


def f(x: np.ndarray):
    n, d = x.shape
    rows = [[np.dot(x[i], x[j]) for j in range(i + 1)] for i in range(n)]
    return np.array([row[0] for row in rows])


def cases(rng):
    for n, d in ((1, 1), (2, 3), (7, 5), (3, 130)):
        yield "f", (rng.normal(size=(n, d)),), {}
    yield "f", (rng.normal(size=(5, 7)).T,), {}
    yield "f", (rng.normal(size=(6, 4))[::2],), {}
    yield "f", (rng.normal(size=(4, 3)).astype(np.float32),), {}
