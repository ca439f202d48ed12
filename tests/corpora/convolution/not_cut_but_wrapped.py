# refuse: places before the first count from the end
import numpy as np


def smooth(x: np.ndarray, w: int):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i - w : min(i + w + 1, len(x))].sum()
    return out


def cases(rng):
    yield "smooth", (rng.standard_normal(9), 2), {}
