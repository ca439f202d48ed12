# expect: LOC303 safe scope=trailing
import numpy as np


def trailing(x: np.ndarray, k: int):
    (n,) = x.shape
    out = np.zeros(n)
    for i in range(n):
        out[i] = np.sum(x[max(0, i - k + 1) : i + 1])
    return out


def cases(rng):
    yield "trailing", (rng.standard_normal(9), 3), {}
    yield "trailing", (rng.standard_normal(3), 5), {}
    yield "trailing", (rng.standard_normal(18)[::2], 1), {}
    yield "trailing", (np.zeros(0), 2), {}
