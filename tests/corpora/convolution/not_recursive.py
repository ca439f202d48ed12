# refuse: windows read what was written
import numpy as np


def iir(x: np.ndarray, w: np.ndarray):
    n, k = len(x), len(w)
    y = np.zeros(n)
    for i in range(k, n):
        for j in range(k):
            y[i] += y[i - j - 1] * w[j] + x[i]
    return y


def cases(rng):
    yield "iir", (rng.random(9), rng.random(3)), {}
    yield "iir", (rng.random(2), rng.random(3)), {}
