# expect: LOC303 safe scope=dilate
import numpy as np


def dilate(m: np.ndarray):
    h, w = m.shape
    out = np.zeros((h, w), dtype=bool)
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            out[i, j] = np.any(m[i - 1 : i + 2, j - 1 : j + 2])
    return out


def cases(rng):
    yield "dilate", (rng.random((6, 8)) > 0.7,), {}
