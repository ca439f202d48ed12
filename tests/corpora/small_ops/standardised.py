# expect: LOC306 safe scope=normalise
import numpy as np


def normalise(x, mean, std):
    n, m = x.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = (x[i, j] - mean[j]) / std[j]
    return out


def cases(rng):
    yield "normalise", (rng.random((5, 3)), rng.random(3), rng.random(3) + 1), {}
