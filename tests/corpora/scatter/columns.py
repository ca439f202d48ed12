# expect: SPA406 safe scope=cols
import numpy as np


def cols(x, idx):
    out = np.zeros((x.shape[0], 8))
    for i in range(x.shape[1]):
        out[:, idx[i]] += x[:, i]
    return out


def cases(rng):
    yield "cols", (rng.random((3, 9)), rng.integers(0, 7, 9)), {}
