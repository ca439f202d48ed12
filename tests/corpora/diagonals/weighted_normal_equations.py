# expect: SPA402 safe scope=weighted
import numpy as np


def weighted(x: np.ndarray, y: np.ndarray, weights: np.ndarray):
    n, d = x.shape
    (n,) = weights.shape
    (n,) = y.shape
    w = np.diag(weights)
    gram = x.T.dot(w).dot(x)
    return np.linalg.solve(gram, x.T.dot(w).dot(y))


def cases(rng):
    x = rng.standard_normal((7, 3))
    yield "weighted", (x, rng.standard_normal(7), rng.random(7)), {}
    yield "weighted", (np.ones((1, 1)), np.ones(1), np.ones(1)), {}
