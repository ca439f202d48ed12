# refuse: the last window is shorter
import numpy as np


def clipped(x: np.ndarray):
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        y[i] = x[i : i + 2].sum()
    return y


def cases(rng):
    yield "clipped", (rng.random(9),), {}
    yield "clipped", (rng.random(2),), {}
