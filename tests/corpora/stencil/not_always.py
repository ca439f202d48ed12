# refuse: what some steps leave out need not be possible there
import numpy as np


def cond(x: np.ndarray):
    y = np.zeros(x.shape[0])
    for i in range(1, x.shape[0]):
        if x[i] > x[i - 1]:
            y[i] = 1 / (x[i] - x[i - 1])
    return y


def cases(rng):
    yield "cond", (rng.random(9),), {}
    yield "cond", (rng.random(2),), {}
