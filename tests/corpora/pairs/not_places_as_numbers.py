# refuse: LOC305 the distance of the places counts
import numpy as np


def f(x, m, G=1.0, eps=0.1):
    n = len(x)
    F = np.zeros((n, 3))
    for i in range(n):
        for j in range(n):
            F[i] += (x[j] - x[i]) * abs(i - j)
    return F


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
