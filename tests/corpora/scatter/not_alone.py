# refuse: a running sum is added
import numpy as np


def running(x, idx):
    out = np.zeros(8)
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        out[idx[i]] += s
    return out


def cases(rng):
    yield "running", (rng.random(9), rng.integers(0, 7, 9)), {}
