# refuse: some cells are not written
import numpy as np


def data_dep(x: np.ndarray):
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        if x[i] > 0:
            out[i] = x[i] ** 2
    return out


def cases(rng):
    yield "data_dep", (rng.random(9),), {}
    yield "data_dep", (rng.random(1),), {}
