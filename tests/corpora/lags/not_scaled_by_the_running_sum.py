# refuse: each cell is divided by the cell before
"""What scales a sum is another sum that the loop has just filled in."""

import numpy as np


def ratios(x: np.ndarray):
    (n,) = x.shape
    r = np.ones(n)
    for lag in range(1, n):
        r[lag] = np.sum(x[: n - lag] * x[lag:]) / r[lag - 1]
    return r


def cases(rng):
    for n in (1, 2, 7):
        yield "ratios", (rng.normal(size=n),), {}
