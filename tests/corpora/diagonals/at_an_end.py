# may: SPA402 unsafe scope=first
# may: SPA402 unsafe scope=last
import numpy as np


def first(weights, x, y):
    return np.diag(weights) @ x @ y


def last(weights, x, y):
    return x @ (y @ np.diag(weights))


def cases(rng):
    for shape in ((3, 3), (3,)):
        yield "first", (rng.normal(size=shape), rng.normal(size=(3, 3)), np.eye(3)), {}
        yield "last", (rng.normal(size=shape), rng.normal(size=(3, 3)), np.eye(3)), {}
