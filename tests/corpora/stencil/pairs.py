# expect: LOC302 safe scope=pool
import numpy as np


def pool(x):
    n = x.shape[0] // 2
    out = np.zeros(n)
    for i in range(n):
        out[i] = (x[2 * i] + x[2 * i + 1]) / 2
    return out


def cases(rng):
    yield "pool", (rng.random(10),), {}
    yield "pool", (rng.random(7),), {}
