# may: LOC302 safe scope=box
# may: LOC303 safe scope=box
# refuse: LOC302 sums of narrow integers are wider than the integers

import numpy as np


def box(count: int):
    """Sums of bytes are kept in more than bytes."""
    x = np.full((count, count), 200, dtype=np.uint8)
    out = np.zeros((count - 1, count - 1))
    for i in range(count - 1):
        for j in range(count - 1):
            out[i, j] = x[i : i + 2, j : j + 2].mean()
    return out


def cases(rng):
    yield "box", (5,), {}
    yield "box", (2,), {}
