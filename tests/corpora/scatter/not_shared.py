# refuse: what is added is read from what is written
import numpy as np


def alias(x: np.ndarray, idx: np.ndarray):
    out = x
    for i in range(idx.shape[0]):
        out[idx[i]] += x[i % 3]
    return out


def cases(rng):
    yield "alias", (rng.random(8), rng.integers(0, 7, 9)), {}
