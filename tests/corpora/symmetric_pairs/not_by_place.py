# refuse: SYM601 the places count, not only what stands there

import numpy as np


def lagged(x: np.ndarray):
    n = x.shape[0]
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            out[i, j] = abs(x[i] - x[j]) + np.exp(0.1 * i)
    return out


def cases(rng):
    yield "lagged", (rng.random(4),), {}
