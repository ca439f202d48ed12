# expect: LOC301 safe scope=lengths
import numpy as np


def lengths(samples: np.ndarray):
    n, d = samples.shape
    total = np.zeros((d, d))
    for i in range(n):
        column = samples[i].reshape(d, 1)
        total += column.T @ column
    return total


def cases(rng):
    yield "lengths", (rng.normal(size=(4, 3)),), {}
