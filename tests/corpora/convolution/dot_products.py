# expect: LOC303 safe scope=dot
import numpy as np


def dot(x: np.ndarray, w: np.ndarray):
    n, k = len(x), len(w)
    out = np.zeros(max(n - k + 1, 0))
    for i in range(n - k + 1):
        out[i] = np.dot(x[i : i + k], w)
    return out


def cases(rng):
    yield "dot", (rng.random(9), rng.random(3)), {}
    yield "dot", (rng.random(2), rng.random(3)), {}
