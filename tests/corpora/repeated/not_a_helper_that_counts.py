# refuse: RED502 the helper counts how often it is called
import numpy as np

calls = [0]


def logistic(t):
    calls[0] += 1
    return 1 / (1 + np.exp(-t)) + calls[0]


def slope(t: np.ndarray):
    calls[0] = 0
    return logistic(t) * (1 - logistic(t)), calls[0]


def cases(rng):
    for shape in ((1,), (5,)):
        yield "slope", (rng.normal(size=shape),), {}
