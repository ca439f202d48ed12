# refuse: LOC301 `dot` of a stack has its axes elsewhere
import numpy as np


def each(x: np.ndarray, w: np.ndarray):
    heads, n, d = x.shape
    b, d, k = w.shape
    out = np.zeros((heads, n, b, k))
    for h in range(heads):
        out[h] = np.dot(x[h], w)
    return out


def cases(rng):
    for n in (5, 1):
        yield "each", (rng.standard_normal((4, n, 3)), rng.standard_normal((2, 3, 2))), {}
