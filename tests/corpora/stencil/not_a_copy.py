# refuse: a slice shares memory
import numpy as np


def view(x: np.ndarray):
    y = x[:]
    for i in range(1, x.shape[0] - 1):
        y[i] = (x[i - 1] + x[i + 1]) / 2
    return y


def cases(rng):
    yield "view", (rng.random(9),), {}
    yield "view", (rng.random(2),), {}
