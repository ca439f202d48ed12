# refuse: later steps read what the first wrote
import numpy as np


def inplace_dep(x: np.ndarray):
    for i in range(x.shape[0]):
        x[i] = x[0] + x[i]
    return x


def cases(rng):
    yield "inplace_dep", (rng.random(9),), {}
    yield "inplace_dep", (rng.random(1),), {}
