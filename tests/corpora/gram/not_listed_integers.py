# refuse: SYM602 sums of small integers are of a wider type
import numpy as np


def f(x: np.ndarray):
    n, d = x.shape
    x = x.astype(np.int32)
    return np.array([[np.sum(x[i] * x[j]) for j in range(n)] for i in range(n)])


def cases(rng):
    for n, d in ((2, 3), (7, 5)):
        yield "f", (rng.integers(0, 9, size=(n, d)),), {}
