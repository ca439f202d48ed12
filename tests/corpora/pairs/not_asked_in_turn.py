# refuse: LOC305 the second question fails where the first one says no
import numpy as np


def f(x, m):
    n = len(x)
    total = 0.0
    with np.errstate(all="raise"):
        for i in range(n):
            for j in range(n):
                d = np.sum((x[i] - x[j]) ** 2)
                if d > 0 and 1 / d < 3:
                    total += m[i] * m[j]
    return total


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
