# expect: LOC303 safe scope=erode
import numpy as np


def erode(mask, k=3):
    pad = k // 2
    m = np.pad(mask, pad, constant_values=True)
    out = np.zeros(mask.shape, dtype=bool)
    for i in range(mask.shape[0]):
        for j in range(mask.shape[1]):
            out[i, j] = m[i : i + k, j : j + k].all()
    return out


def cases(rng):
    yield "erode", (rng.random((8, 7)) > 0.2,), {}
