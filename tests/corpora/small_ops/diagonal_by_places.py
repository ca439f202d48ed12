# expect: LOC306 safe scope=diag
import numpy as np


def diag(x: np.ndarray):
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        out[i] = x[i, i] * 2
    return out


def cases(rng):
    yield "diag", (rng.random((4, 4)),), {}
