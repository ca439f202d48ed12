# refuse: the last windows are shorter
import numpy as np


def clipped(x: np.ndarray, w: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[i : i + 3].sum()
    return out


def cases(rng):
    yield "clipped", (rng.random(9), rng.random(3)), {}
