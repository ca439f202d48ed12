# refuse: every step cuts off a fraction
import numpy as np


def int_out(x, idx):
    out = np.zeros(8, dtype=int)
    for i in range(len(x)):
        out[idx[i]] += x[i]
    return out


def cases(rng):
    yield "int_out", (rng.random(9), rng.integers(0, 7, 9)), {}
