# refuse: the neighbours change under the loop
import numpy as np


def both(x: np.ndarray):
    n = x.shape[0]
    y = np.zeros(n)
    for i in range(1, n):
        x[i] = x[i] * 2
        y[i] = x[i - 1]
    return y


def cases(rng):
    yield "both", (rng.random(9),), {}
    yield "both", (rng.random(2),), {}
