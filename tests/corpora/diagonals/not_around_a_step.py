# refuse: SPA402 the call in between may change the weights, though its result is used
import numpy as np


def halving(weights):
    def step(rate):
        weights[:] *= rate
        return rate

    return step


def scaled(table: np.ndarray, weights: np.ndarray, step):
    n, m = table.shape
    (n,) = weights.shape
    diagonal = np.diag(weights)
    loss = step(0.5)
    return diagonal @ table + loss


def cases(rng):
    table, weights = rng.normal(size=(3, 2)), rng.normal(size=3)
    yield "lambda t, w: scaled(t, w, halving(w))", (table, weights), {}
