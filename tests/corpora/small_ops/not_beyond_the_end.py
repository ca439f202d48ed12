# refuse: the condition keeps a step from reading beyond the end
import numpy as np


def f(x: np.ndarray, more: np.ndarray):
    (n,) = x.shape
    (n,) = more.shape
    out = np.zeros(n)
    for i in range(n):
        if more[i] > 0:
            out[i] = x[i + 1] + x[i]
    return out


def cases(rng):
    yield "f", (rng.random(4), np.array([1.0, 1, 1, 0])), {}
