# refuse: the steps go over another array
import numpy as np


def smooth(x: np.ndarray, y: np.ndarray, w: int):
    out = np.zeros(len(y))
    for i in range(len(y)):
        out[i] = x[max(0, i - w) : i + w + 1].sum()
    return out


def cases(rng):
    yield "smooth", (rng.standard_normal(9), rng.standard_normal(15), 2), {}
