# refuse: a logarithm of what is not positive, which no step computes
import numpy as np


def data_dep(x: np.ndarray):
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        if x[i] > 0:
            out[i] = np.log(x[i])
    return out


def cases(rng):
    yield "data_dep", (rng.standard_normal(9),), {}
    yield "data_dep", (rng.random(1),), {}
