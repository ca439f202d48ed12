# expect: ASC105 safe scope=quotients
# expect: ASC101 safe scope=smoothed
import numpy as np


def quotients(x, first):
    h = np.float64(first)
    for t in range(len(x) - 1, -1, -1):
        h = h / x[t]
        x[t] = h
    return x


def smoothed(x, weights: np.ndarray):
    h = np.float64(0.0)
    for t in range(len(x)):
        h = (1 - weights[t]) * h + weights[t] * x[t]
        x[t] = h
    return x


def cases(rng):
    for n in (1, 2, 7):
        x, weights = rng.uniform(0.5, 2, n), rng.uniform(size=n)
        yield "quotients", (x, 2.0), {}
        yield "smoothed", (x, weights), {}
