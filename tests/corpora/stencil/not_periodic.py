# refuse: the last place reads the first element
import numpy as np


def modulo(x: np.ndarray):
    n = x.shape[0]
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[(i + 1) % n] - x[i]
    return y


def cases(rng):
    yield "modulo", (rng.random(9),), {}
    yield "modulo", (rng.random(2),), {}
