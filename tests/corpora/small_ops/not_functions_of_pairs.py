# refuse: a step reads what the one before it wrote
import numpy as np


def added_to_the_last(x: np.ndarray, y: np.ndarray):
    n, _ = x.shape
    m, _ = y.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(1, m):
            out[i, j] = out[i, j - 1] + np.sum(np.abs(x[i] - y[j]))
    return out


def of_itself(x: np.ndarray):
    n, d = x.shape
    out = x
    for i in range(n):
        for j in range(d):
            out[i, j] = np.sum(np.abs(x[i] - x[j]))
    return out


def cases(rng):
    for n, m, d in ((5, 4, 3), (1, 1, 1), (2, 7, 1)):
        yield "added_to_the_last", (rng.normal(size=(n, d)), rng.normal(size=(m, d))), {}
        yield "of_itself", (rng.normal(size=(n, n)),), {}
