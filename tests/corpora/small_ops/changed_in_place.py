# expect: LOC306 safe scope=inplace
import numpy as np


def inplace(x: np.ndarray):
    for i in range(x.shape[0]):
        x[i] = x[i] * 2 + 1
    return x


def cases(rng):
    yield "inplace", (rng.random(9),), {}
    yield "inplace", (rng.random(1),), {}
