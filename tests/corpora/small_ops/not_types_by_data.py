# refuse: which type the list has depends on the ways that are taken
import numpy as np


def f(x: np.ndarray):
    (n,) = x.shape
    return np.array([x[i] if x[i] > 0 else 0 for i in range(n)])


def cases(rng):
    yield "f", (-rng.random(4),), {}
    yield "f", (rng.random(4),), {}
