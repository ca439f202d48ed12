# refuse: a cell is halved at each step
import numpy as np


def mixed_ops(x, idx):
    out = np.ones(8)
    for i in range(len(x)):
        out[idx[i]] += x[i]
        out[idx[i]] *= 0.5
    return out


def cases(rng):
    yield "mixed_ops", (rng.random(9), rng.integers(0, 7, 9)), {}
