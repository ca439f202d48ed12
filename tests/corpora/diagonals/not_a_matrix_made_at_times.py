# refuse: SPA402 a star multiplies what `asmatrix` gives as a matrix, wherever that is made
import numpy as np


def tried(rows, weights: np.ndarray):
    (n,) = weights.shape
    try:
        table = np.asmatrix(rows).T
    finally:
        pass
    return table @ np.diag(weights)


def chosen(rows, weights: np.ndarray):
    (n,) = weights.shape
    for _ in range(2):
        table = np.matrix(rows)
    return np.diag(weights) @ table


def cases(rng):
    yield "tried", (rng.normal(size=(3, 2)), rng.normal(size=3)), {}
    yield "chosen", (rng.normal(size=(3, 2)), rng.normal(size=3)), {}
