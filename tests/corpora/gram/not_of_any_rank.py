# may: SYM602 unsafe scope=f
# refuse: LOC301 the rows may be matrices
import numpy as np


def f(x: np.ndarray):
    n = len(x)
    return np.array([[np.sum(x[i] * x[j]) for j in range(n)] for i in range(n)])


def cases(rng):
    yield "f", (rng.normal(size=(5, 3)),), {}
    yield "f", (rng.normal(size=(5, 3, 2)),), {}
    yield "f", (rng.normal(size=5),), {}
