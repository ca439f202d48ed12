# refuse: a part of a diagonal, or one beside it
import numpy as np


def some(m: np.ndarray, k: int):
    total = 0.0
    for i in range(k):
        total += m[i, i]
    return total


def beside(m: np.ndarray):
    total = 0.0
    for i in range(m.shape[0] - 1):
        total += m[i, i + 1]
    return total


def but_first(m: np.ndarray):
    total = 0.0
    for i in range(1, m.shape[0]):
        total += m[i, i]
    return total


def cases(rng):
    yield "some", (rng.standard_normal((5, 5)), 3), {}
    yield "beside", (rng.standard_normal((5, 5)),), {}
    yield "but_first", (rng.standard_normal((5, 5)),), {}
