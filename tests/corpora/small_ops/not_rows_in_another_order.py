# refuse: a row is read at several places, in an order that the function is given or works out
import numpy as np


def sorted_alike(x: np.ndarray):
    n, m = x.shape
    order = np.argsort(x[0])
    out = np.zeros((n, m))
    for i in range(n):
        row = x[i]
        out[i] = row[order] * 2
    return out


def shuffled(x: np.ndarray, order):
    n, m = x.shape
    for i in range(n):
        x[i] = x[i][order]
    return x


def cases(rng):
    yield "sorted_alike", (rng.standard_normal((3, 4)),), {}
    yield "shuffled", (rng.standard_normal((3, 4)), np.array([2, 0, 3, 1])), {}
