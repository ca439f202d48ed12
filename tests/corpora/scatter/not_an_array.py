# refuse: the sums are kept in a list
import numpy as np


def listed(x: np.ndarray, idx: np.ndarray):
    out = [0.0] * 8
    for i in range(len(x)):
        out[idx[i]] += x[i]
    return out


def cases(rng):
    yield "listed", (rng.random(9), rng.integers(0, 7, 9)), {}
