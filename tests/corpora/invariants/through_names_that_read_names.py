# expect: RED501 safe scope=spread
# expect: RED501 safe scope=range_of
# expect: RED501 safe scope=beside

import numpy as np


def spread(x: np.ndarray, n: int):
    found = []
    for i in range(n):
        y = x * 2
        z = y - 1
        middle = z.mean(-1, keepdims=True)
        width = ((z - middle) * y).mean(-1)
        found.append(width * i)
    return found


def range_of(values: np.ndarray, n: int):
    found = []
    for i in range(n):
        moved = values + 1
        a = moved / 2
        b = np.exp(a - moved)
        found.append(np.sort(a * b - moved) * i)
    return found


def beside(x: np.ndarray, n: int):
    found = []
    for i in range(n):
        y = x + 1; low = y - 3; high = np.sort(low * y + np.exp(low))  # fmt: skip
        found.append(high * i)
    return found


def cases(rng):
    for name in ("spread", "range_of", "beside"):
        for n in (1, 3):
            yield name, (rng.random((4, 3)), n), {}
