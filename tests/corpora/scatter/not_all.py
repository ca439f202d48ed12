# refuse: the loop ends early
import numpy as np


def early(x, idx):
    out = np.zeros(8)
    for i in range(len(x)):
        if x[i] > 1:
            break
        out[idx[i]] += x[i]
    return out


def cases(rng):
    yield "early", (rng.random(9), rng.integers(0, 7, 9)), {}
