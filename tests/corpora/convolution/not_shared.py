# refuse: the result shares memory with the input
import numpy as np


def alias(x: np.ndarray, w: np.ndarray):
    n, k = len(x), len(w)
    out = x[:]
    for i in range(n - k + 1):
        for j in range(k):
            out[i] += x[i + j] * w[j]
    return out


def cases(rng):
    yield "alias", (rng.random(9), rng.random(3)), {}
    yield "alias", (rng.random(2), rng.random(3)), {}
