# expect: SPA402 safe scope=weighted
# expect: SPA402 safe scope=scattered
import numpy as np


def weighted(x, weights):
    return x.T.dot(np.diag(weights)).dot(x)


def scattered(x, weights, y):
    return x.T @ np.diag(weights) @ y


def cases(rng):
    for n, d in ((4, 3), (1, 1), (0, 2)):
        x, w = rng.normal(size=(n, d)), rng.normal(size=n)
        yield "weighted", (x, w), {}
        yield "scattered", (x, w, rng.normal(size=(n, 2))), {}
