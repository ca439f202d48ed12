# expect: ASC106 safe scope=within
# expect: ASC106 safe scope=beside
# refuse: ASC101 nothing else is offered
import numpy as np


def beyond(x: np.ndarray, mask: np.ndarray):
    total = 0.0
    for i in range(len(x)):
        if mask[i]:
            total += x[i + 1]
    return total


def within(x: np.ndarray, mask: np.ndarray):
    total = 0.0
    for i in range(len(x) - 1):
        if mask[i]:
            total += x[i + 1]
    return total


def beside(x: np.ndarray, y: np.ndarray):
    total = 0.0
    for i in range(len(x)):
        if x[i] > 0:
            total += y[i]
    return total


def cases(rng):
    mask = np.array([True, False, True, True, False])
    for name in ("beyond", "within"):
        yield name, (rng.normal(size=5), mask), {}
    yield "beside", (rng.normal(size=5), rng.normal(size=5)), {}
    yield "beside", (rng.normal(size=5), rng.normal(size=6)), {}
