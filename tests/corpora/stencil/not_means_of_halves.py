# refuse: LOC302 the sum of the window is too large for its type, its mean is not
# refuse: LOC303 the sum of the window is too large for its type, its mean is not
import numpy as np


def means(n: int):
    x = np.full(n, 40000, dtype=np.float16)
    out = np.zeros(n)
    for i in range(1, n - 1):
        out[i] = x[i - 1 : i + 2].mean()
    return out


def sliding(n: int, k: int):
    x = np.full(n, 40000, dtype=np.float16)
    out = np.zeros(n - k + 1)
    for i in range(n - k + 1):
        out[i] = x[i : i + k].mean()
    return out


def cases(rng):
    yield "means", (5,), {}
    yield "sliding", (5, 3), {}
