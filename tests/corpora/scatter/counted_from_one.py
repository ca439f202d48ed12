# expect: SPA406 safe scope=one_based
import numpy as np


def one_based(x, idx):
    out = np.zeros(8)
    for i in range(len(idx)):
        out[idx[i] - 1] += x[i]
    return out


def cases(rng):
    yield "one_based", (rng.random(9), rng.integers(0, 7, 9)), {}
