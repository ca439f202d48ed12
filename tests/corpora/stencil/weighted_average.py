# expect: LOC302 safe scope=avg3_like
import numpy as np


def avg3_like(x: np.ndarray):
    out = x.copy()
    for i in range(1, x.shape[0] - 1):
        out[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1]
    return out


def cases(rng):
    yield "avg3_like", (rng.random(9),), {}
    yield "avg3_like", (rng.random(2),), {}
