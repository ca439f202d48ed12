# expect: LOC301 unsafe scope=polynomial
# expect: LOC301 unsafe scope=sigmoid
"""Tables of all pairs of rows, of arrays of which nothing says how many axes they have."""

import numpy as np


def polynomial(X, Y, c, p):
    table = np.zeros((X.shape[0], Y.shape[0]))
    for i, x in enumerate(X):
        for j, y in enumerate(Y):
            table[i, j] = (x.dot(y) + c) ** p
    return table


def sigmoid(X: np.ndarray, Y: np.ndarray, c: float):
    table = np.zeros((len(X), len(Y)))
    for i, x in enumerate(X):
        for j, y in enumerate(Y):
            table[i][j] = np.tanh(x @ y + c)
    return table


def cases(rng):
    for n, m, d in [(3, 4, 2), (1, 1, 1), (2, 5, 3)]:
        x, y = rng.normal(size=(n, d)), rng.normal(size=(m, d))
        yield "polynomial", (x, y, 1.0, 2), {}
        yield "sigmoid", (x, y, 0.5), {}
