# refuse: what is put around an array changes the median
import numpy as np


def smooth(x: np.ndarray, w: int):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = np.median(x[max(0, i - w) : i + w + 1])
    return out


def cases(rng):
    yield "smooth", (rng.standard_normal(9), 2), {}
