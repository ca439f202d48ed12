# expect: LOC302 safe scope=avg3
import numpy as np


def avg3(x):
    n = len(x)
    out = np.zeros(n)
    for i in range(1, n - 1):
        out[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    return out


def cases(rng):
    yield "avg3", (rng.random(9),), {}
    yield "avg3", (rng.random(2),), {}
