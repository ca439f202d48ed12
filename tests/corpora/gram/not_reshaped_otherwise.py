# refuse: a vector that becomes a matrix is no column
import numpy as np


def halves(samples: np.ndarray):
    n, d = samples.shape
    total = np.zeros((2, 2))
    for i in range(n):
        half = samples[i].reshape(2, d // 2)
        total += half @ half.T
    return total


def cases(rng):
    yield "halves", (rng.normal(size=(4, 6)),), {}
    yield "halves", (rng.normal(size=(1, 2)),), {}
