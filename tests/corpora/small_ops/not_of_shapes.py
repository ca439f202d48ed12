# refuse: a shape is no array, and compared as a whole
import numpy as np


def f(x: np.ndarray, shift: np.ndarray):
    shape = x.shape
    for dim in range(x.ndim):
        if shape[dim] == 1:
            shift[dim] = 0
    return shift


def cases(rng):
    yield "f", (rng.random((1, 3)), np.ones(2)), {}
