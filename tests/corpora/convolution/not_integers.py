# refuse: every step cuts off a fraction
import numpy as np


def int_out(x: np.ndarray, w: np.ndarray):
    n, k = len(x), len(w)
    out = np.zeros(max(n - k + 1, 0), dtype=int)
    for i in range(n - k + 1):
        for j in range(k):
            out[i] += x[i + j] * w[j]
    return out


def cases(rng):
    yield "int_out", (rng.random(9), rng.random(3)), {}
    yield "int_out", (rng.random(2), rng.random(3)), {}
