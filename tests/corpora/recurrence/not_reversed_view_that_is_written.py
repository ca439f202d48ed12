# refuse: what is written is the array that is read, from its end
import numpy as np


def turned(x: np.ndarray):
    y = x[::-1]
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        y[i] = s
    return x


def column(x: np.ndarray):
    a = x[:, 0]
    b = x[:, 0][1:]
    s = 0.0
    for i in range(len(b)):
        s += a[i]
        b[i] = s
    return x


def cases(rng):
    yield "turned", (rng.standard_normal(6),), {}
    yield "column", (rng.standard_normal((6, 2)),), {}
