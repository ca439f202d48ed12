# refuse: LOC305 the body reads what it adds to
import numpy as np


def f(x, m, G=1.0, eps=0.1):
    n = len(x)
    F = np.zeros_like(x)
    for i in range(n):
        for j in range(n):
            r = x[j] - x[i]
            F[i] += r * F[j]
    return F


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
