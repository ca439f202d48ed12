# expect: LOC303 safe scope=moving_sum
import numpy as np


def moving_sum(x: np.ndarray, k):
    n = x.shape[0]
    out = np.zeros(max(n - k + 1, 0))
    for i in range(n - k + 1):
        s = 0.0
        for j in range(k):
            s += x[i + j]
        out[i] = s / k
    return out


def cases(rng):
    yield "moving_sum", (rng.random(9), 3), {}
