# expect: LOC302 safe scope=even
import numpy as np


def even(x):
    n = x.shape[0]
    out = np.zeros(n)
    for i in range(1, n - 1, 2):
        out[i] = x[i - 1] + x[i + 1]
    return out


def cases(rng):
    yield "even", (rng.random(9),), {}
    yield "even", (rng.random(2),), {}
