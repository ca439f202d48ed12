# expect: ASC101 safe scope=returns_inplace
import numpy as np


def returns_inplace(r, gamma):
    for t in range(len(r) - 2, -1, -1):
        r[t] += gamma * r[t + 1]
    return r


def cases(rng):
    for n in (1, 2, 60):
        yield "returns_inplace", (rng.standard_normal(n), 0.9), {}
        yield "returns_inplace", (rng.standard_normal((2 * n, 2)).astype(np.float32)[::2], 0.9), {}
