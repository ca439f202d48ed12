# refuse: windows read what was written
import numpy as np


def recursive(x: np.ndarray, w: np.ndarray):
    n, k = len(x), len(w)
    for i in range(n - k + 1):
        for j in range(k):
            x[i] += x[i + j] * w[j]
    return x


def cases(rng):
    yield "recursive", (rng.random(9), rng.random(3)), {}
    yield "recursive", (rng.random(2), rng.random(3)), {}
