# refuse: LOC305 which pairs count depends on the pairs before
import numpy as np


def f(x, m):
    n = len(x)
    total = 0.0
    nearest = np.inf
    for i in range(n):
        for j in range(i + 1, n):
            d = np.sum((x[i] - x[j]) ** 2)
            if d < nearest:
                nearest = d
                total += m[i] * m[j]
    return total, nearest


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
