# refuse: SYM602 the last row is left out
import numpy as np


def f(x: np.ndarray):
    n, d = x.shape
    return np.array([[np.dot(x[i], x[j]) for j in range(n)] for i in range(n - 1)])


def cases(rng):
    for n, d in ((2, 3), (7, 5)):
        yield "f", (rng.normal(size=(n, d)),), {}
