# refuse: a division of a way that no step takes for some cells
import numpy as np


def f(x: np.ndarray, y: np.ndarray):
    (n,) = x.shape
    (n,) = y.shape
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[i] / y[i] if y[i] != 0 else 0.0
    return out


def cases(rng):
    yield "f", (rng.random(5), np.array([0.0, 1, 2, 0, 3])), {}
