# refuse: LOC305 one of the sums is over all pairs, the other over some
import numpy as np


def f(x, m):
    n = len(x)
    total, every = 0.0, 0.0
    for i in range(n):
        for j in range(n):
            d = np.sum((x[i] - x[j]) ** 2)
            every += d
            if d > 0.5:
                total += m[i] * m[j]
    return total, every


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
