# refuse: truth values take part of a row
import numpy as np


def f(x: np.ndarray, idx: np.ndarray):
    n, m = x.shape
    flags = idx > 0
    out = np.zeros((n, m))
    for i in range(n):
        out[i] = x[i, flags[i]] * 2
    return out


def cases(rng):
    yield "f", (rng.random((2, 3)), np.ones((2, 3))), {}
