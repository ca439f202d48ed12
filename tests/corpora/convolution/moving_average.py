# expect: LOC303 safe scope=moving
import numpy as np


def moving(x: np.ndarray, k):
    n = x.shape[0]
    out = np.zeros(max(n - k + 1, 0))
    for i in range(n - k + 1):
        out[i] = x[i : i + k].mean()
    return out


def cases(rng):
    yield "moving", (rng.random(9), 3), {}
    yield "moving", (rng.random(2), 3), {}
