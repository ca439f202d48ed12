# refuse: LOC305 each pair draws a number
import numpy as np


def f(x, m, G=1.0, eps=0.1):
    n = len(x)
    F = np.zeros_like(x)
    for i in range(n):
        for j in range(n):
            r = x[j] - x[i]
            F[i] += r * np.random.rand()
    return F


def cases(rng):
    yield "f", (rng.standard_normal((4, 3)), rng.uniform(1, 2, 4)), {}
