# refuse: truth values add up to truth values, and to numbers in a sum
import numpy as np


def f(x: np.ndarray, y: np.ndarray):
    n, m = x.shape
    (m,) = y.shape
    out = np.zeros(n)
    for i in range(n):
        for j in range(m):
            out[i] += (x[i, j] > 0) * (y[j] > 0)
    return out


def cases(rng):
    yield "f", (rng.standard_normal((3, 4)), rng.standard_normal(4)), {}
