# refuse: the step counts itself
import numpy as np


def uses_i(x: np.ndarray):
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        out[i] = x[i] * i
    return out


def cases(rng):
    yield "uses_i", (rng.random(9),), {}
    yield "uses_i", (rng.random(1),), {}
