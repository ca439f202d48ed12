# may: ASC114 safe scope=mask
import numpy as np


def mask(a: np.ndarray, n: int):
    rows, columns = a.shape
    total = np.ones((rows, columns))
    for _ in range(n):
        total = total * a
    return total


def cases(rng):
    yield "mask", (rng.random((2, 3)), 5), {}
    yield "mask", (rng.random((2, 3)), 0), {}
