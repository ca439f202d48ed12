# expect: SPA406 safe scope=seg_np
import numpy as np


def seg_np(x, idx):
    out = np.zeros(8)
    for i in range(len(x)):
        out[idx[i]] += x[i]
    return out


def cases(rng):
    yield "seg_np", (rng.random(9), rng.integers(-8, 8, 9)), {}
    yield "seg_np", (rng.random(1), rng.integers(0, 7, 1)), {}
