# refuse: LOC302 sums of narrow integers are wider than the integers

import numpy as np


def alive_around(n: int):
    """A sum that starts at 0 counts truth values; one of them alone is whether any holds."""
    grid = np.full((n, n), True)
    out = np.zeros((n, n), dtype=int)
    for i in range(1, n - 1):
        for j in range(1, n - 1):
            total = 0
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    if (di, dj) != (0, 0):
                        total += grid[i + di, j + dj]
            out[i, j] = total
    return out


def cases(rng):
    yield "alive_around", (5,), {}
