# expect: SYM604 unsafe scope=filled
# expect: SYM604 unsafe scope=listed
import numpy as np


def filled(x: np.ndarray, order: int):
    r = np.zeros(order + 1)
    n = x.shape[0]
    for k in range(order + 1):
        for i in range(n - k):
            r[k] += x[i] * x[i + k]
    return r


def listed(x: np.ndarray):
    n = len(x)
    return np.array([np.dot(x[: n - k], x[k:]) for k in range(4)])


def cases(rng):
    yield "filled", (rng.standard_normal(9), 3), {}
    yield "filled", (rng.standard_normal(4), 3), {}
    yield "listed", (rng.standard_normal(9),), {}
