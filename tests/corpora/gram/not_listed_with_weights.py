# refuse: SYM602 a weight is a third factor
import numpy as np


def f(x: np.ndarray, w: np.ndarray):
    n, d = x.shape
    assert w.ndim == 1
    return np.array([[np.sum(x[i] * x[j] * w) for j in range(n)] for i in range(n)])


def cases(rng):
    for n, d in ((2, 3), (7, 5)):
        yield "f", (rng.normal(size=(n, d)), rng.normal(size=d)), {}
