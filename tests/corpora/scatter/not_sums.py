# refuse: what a cell holds changes its sign
import numpy as np


def sub_from(x, idx):
    out = np.zeros(8)
    for i in range(len(x)):
        out[idx[i]] = x[i] - out[idx[i]]
    return out


def cases(rng):
    yield "sub_from", (rng.random(9), rng.integers(0, 7, 9)), {}
