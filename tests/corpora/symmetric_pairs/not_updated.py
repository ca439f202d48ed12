# refuse: SYM601 paths are shortened by what the steps before found

import numpy as np


def relax(D: np.ndarray, w: np.ndarray):
    n = D.shape[0]
    for i in range(n):
        for j in range(n):
            D[i, j] = min(D[i, j], abs(w[i] - w[j]))
    return D


def cases(rng):
    yield "relax", (rng.random((4, 4)), rng.random(4)), {}
