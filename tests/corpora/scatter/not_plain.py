# refuse: what a cell holds fades at every step
import numpy as np


def decay(x, idx):
    out = np.zeros(8)
    for i in range(len(x)):
        out[idx[i]] = 0.9 * out[idx[i]] + x[i]
    return out


def cases(rng):
    yield "decay", (rng.random(9), rng.integers(0, 7, 9)), {}
