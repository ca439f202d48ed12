# expect: SYM604 safe scope=padded
import numpy as np


def padded(x: np.ndarray, w: np.ndarray):
    n, k = len(x), len(w)
    out = np.zeros(n)
    for i in range(n):
        for j in range(k):
            if i + j < n:
                out[i] += x[i + j] * w[j]
    return out


def cases(rng):
    yield "padded", (rng.random(9), rng.random(3)), {}
    yield "padded", (rng.random(2), rng.random(3)), {}
