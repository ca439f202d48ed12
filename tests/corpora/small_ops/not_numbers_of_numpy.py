# refuse: LOC306 in float32 a number of NumPy's makes double precision, one of Python's does not
import numpy as np


def scaled(x: np.ndarray):
    out = []
    for i in np.arange(len(x)):
        out.append(x[i] * i)
    return np.array(out)


def last(x: np.ndarray):
    y = np.zeros_like(x)
    for i in np.arange(len(x)):
        y[i] = x[i] + 1
    return y, i


def cases(rng):
    yield "scaled", (rng.random(5).astype(np.float32),), {}
    yield "last", (rng.random(5),), {}
