# refuse: the mean is over the columns as well
import numpy as np


def smooth(x: np.ndarray, w: int):
    n, m = x.shape
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[max(0, i - w) : i + w + 1].mean()
    return out


def cases(rng):
    yield "smooth", (rng.standard_normal((5, 4)), 1), {}
