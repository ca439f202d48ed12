# refuse: from the third step on the slice counts from the end
import numpy as np


def f(x: np.ndarray):
    out = np.zeros(4)
    for i in range(4):
        out[i] = np.sum(x[: 2 - i])
    return out


def g(x: np.ndarray):
    """Each step but the last reads all but a few."""
    out = np.zeros(4)
    for i in range(4):
        out[i] = np.sum(x[: i - 3])
    return out


def cases(rng):
    for n in (4, 9):
        yield "f", (rng.standard_normal(n),), {}
        yield "g", (rng.standard_normal(n),), {}
