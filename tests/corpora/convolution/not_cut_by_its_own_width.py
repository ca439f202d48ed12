# refuse: every step has another width
import numpy as np


def smooth(x: np.ndarray, r: np.ndarray):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[max(0, i - r[i]) : i + 1].mean()
    return out


def cases(rng):
    yield "smooth", (rng.standard_normal(9), rng.integers(0, 4, 9)), {}
