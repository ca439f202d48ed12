# refuse: Python adds up bytes as bytes, which the library makes wide
"""Python's sum is of the type of what it adds up, however narrow."""

import numpy as np


def totals(n: int, w: int):
    x = np.arange(n, dtype=np.int8)
    out = np.zeros(n - w + 1)
    for i in range(n - w + 1):
        out[i] = sum(x[i + j] for j in range(w))
    return out


def cases(rng):
    yield "totals", (100, 4), {}
