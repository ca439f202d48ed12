# expect: LOC303 safe scope=prod3
import numpy as np


def prod3(m: np.ndarray):
    h, w = m.shape
    out = np.zeros((h - 2, w - 2))
    for i in range(h - 2):
        for j in range(w - 2):
            out[i, j] = m[i : i + 3, j : j + 3].prod()
    return out


def cases(rng):
    yield "prod3", (rng.random((6, 8)),), {}
