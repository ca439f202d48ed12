# refuse: a step reads what others wrote
import numpy as np


def reads_out(x, idx):
    out = np.zeros(8)
    for i in range(len(x)):
        out[idx[i]] += x[i] + out[0]
    return out


def cases(rng):
    yield "reads_out", (rng.random(9), rng.integers(0, 7, 9)), {}
