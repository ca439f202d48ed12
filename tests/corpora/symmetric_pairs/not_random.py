# refuse: SYM601 each pair draws a number of its own

import numpy as np


def noisy(x: np.ndarray):
    np.random.seed(0)
    n = x.shape[0]
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            out[i, j] = abs(x[i] - x[j]) + np.random.rand()
    return out


def cases(rng):
    yield "noisy", (rng.random(4),), {}
