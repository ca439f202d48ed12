# refuse: nothing says whether the weights are rows or numbers
import numpy as np


def weighted(x, w):
    n = len(w)
    out = np.zeros((n, n))
    for i in range(n):
        out[i] = x[i] * w[i]
    return out


def cases(rng):
    yield "weighted", (rng.random((5, 5)), rng.random(5)), {}
    yield "weighted", (rng.random((1, 1)), rng.random(1)), {}
