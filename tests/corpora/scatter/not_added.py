# refuse: the last value is kept
import numpy as np


def last(x, idx):
    out = np.zeros(8)
    for i in range(len(x)):
        out[idx[i]] = x[i]
    return out


def cases(rng):
    yield "last", (rng.random(9), rng.integers(0, 7, 9)), {}
