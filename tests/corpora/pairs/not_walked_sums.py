# refuse: LOC305 the loop walks the rows that it adds to
import numpy as np


def f(x: np.ndarray):
    n = len(x)
    out = np.zeros((n, 3))
    for i, row in enumerate(out):
        for q in x:
            out[i] += np.exp(-np.abs(q + row))
    return out


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)),), {}
