# refuse: LOC302 sums of narrow integers are wider than the integers

import numpy as np


def from_a_float(count: int):
    """Sums that start at 0.0 are kept in more than bytes."""
    x = np.full((count, count), 200, dtype=np.uint8)
    out = np.zeros((count, count))
    for i in range(1, count - 1):
        for j in range(1, count - 1):
            total = 0.0
            for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                total += x[i + a, j + b]
            out[i, j] = total
    return out


def in_the_cells(count: int):
    x = np.full((count, count), 200, dtype=np.uint8)
    out = np.zeros((count, count))
    for i in range(1, count - 1):
        for j in range(1, count - 1):
            for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                out[i, j] += x[i + a, j + b]
    return out


def cases(rng):
    yield "from_a_float", (5,), {}
    yield "in_the_cells", (5,), {}
