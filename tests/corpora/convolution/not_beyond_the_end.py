# refuse: LOC303 the last windows are shorter than the others
import numpy as np


def averaged(x: np.ndarray, size: int):
    n = x.shape[0]
    out = np.empty(n)
    for i in range(n):
        out[i] = x[i : i + size].sum()
    return out


def cases(rng):
    yield "averaged", (rng.normal(size=9), 3), {}
