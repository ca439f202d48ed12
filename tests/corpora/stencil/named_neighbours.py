# expect: LOC302 safe scope=temp
import numpy as np


def temp(x):
    n = x.shape[0]
    out = np.zeros(n)
    for i in range(1, n - 1):
        left = x[i - 1]
        right = x[i + 1]
        mid = x[i]
        out[i] = abs(left - mid) + abs(right - mid)
    return out


def cases(rng):
    yield "temp", (rng.random(9),), {}
    yield "temp", (rng.random(2),), {}
