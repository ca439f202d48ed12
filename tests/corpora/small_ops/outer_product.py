# expect: LOC306 safe scope=outer
import numpy as np


def outer(a, b):
    out = np.zeros((a.shape[0], b.shape[0]))
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            out[i, j] = a[i] * b[j]
    return out


def cases(rng):
    yield "outer", (rng.random(5), rng.random(3)), {}
