# refuse: the last difference is returned
import numpy as np


def leaves(x: np.ndarray):
    y = np.zeros(x.shape[0])
    for i in range(1, x.shape[0]):
        d = x[i] - x[i - 1]
        y[i] = d
    return y, d


def cases(rng):
    yield "leaves", (rng.random(9),), {}
    yield "leaves", (rng.random(2),), {}
