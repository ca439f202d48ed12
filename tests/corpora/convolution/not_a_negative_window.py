# refuse: LOC303 the slice counts from the end
import numpy as np


def before(x: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[i : i - 3].sum()
    return out


def cases(rng):
    yield "before", (rng.standard_normal(9),), {}
