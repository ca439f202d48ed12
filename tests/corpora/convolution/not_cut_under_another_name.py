# refuse: what is filled is what is read
import numpy as np


def smooth(x: np.ndarray, w: int):
    out = x
    for i in range(len(x)):
        out[i] = x[max(0, i - w) : i + w + 1].mean()
    return out


def cases(rng):
    yield "smooth", (rng.standard_normal(9), 2), {}
