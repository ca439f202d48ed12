# refuse: the first place is the last element
import numpy as np


def wrap(x: np.ndarray):
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0] - 1):
        y[i] = (x[i - 1] + x[i + 1]) / 2
    return y


def cases(rng):
    yield "wrap", (rng.random(9),), {}
    yield "wrap", (rng.random(2),), {}
