# refuse: LOC305 the places of what is behind an item count from 0 again
import numpy as np


def f(x: np.ndarray):
    out = np.zeros(len(x))
    for i, a in enumerate(x):
        for j, b in enumerate(x[i + 1 :]):
            out[j] += np.exp(-np.sum((a - b) ** 2))
    return out


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)),), {}
