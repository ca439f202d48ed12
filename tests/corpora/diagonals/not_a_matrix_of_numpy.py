# refuse: SPA402 a star multiplies what `asmatrix` gives as a matrix
import numpy as np


def scaled(rows, weights: np.ndarray):
    (n,) = weights.shape
    table = np.asmatrix(rows)
    return np.diag(weights) @ table


def columns(rows, weights: np.ndarray):
    (n,) = weights.shape
    table = np.asmatrix(rows).T
    return table @ np.diag(weights)


def cases(rng):
    yield "scaled", (rng.normal(size=(3, 2)), rng.normal(size=3)), {}
    yield "columns", (rng.normal(size=(3, 2)), rng.normal(size=3)), {}
    yield "scaled", ([[2.0]], np.ones(1)), {}
