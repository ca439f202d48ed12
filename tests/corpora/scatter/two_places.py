# expect: SPA406 safe scope=two_places
import numpy as np


def two_places(x, idx):
    out = np.zeros(8)
    for i in range(len(x)):
        out[idx[i]] += x[i]
        out[idx[i] + 1] -= x[i]
    return out


def cases(rng):
    yield "two_places", (rng.random(9), rng.integers(0, 7, 9)), {}
