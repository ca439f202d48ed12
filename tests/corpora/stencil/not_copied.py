# refuse: both names are one array
import numpy as np


def alias(x: np.ndarray):
    y = x
    for i in range(1, x.shape[0] - 1):
        y[i] = (x[i - 1] + x[i + 1]) / 2
    return y


def cases(rng):
    yield "alias", (rng.random(9),), {}
    yield "alias", (rng.random(2),), {}
