# refuse: LOC305 a value is carried from pair to pair
import numpy as np


def f(x, m, G=1.0, eps=0.1):
    n = len(x)
    F = np.zeros_like(x)
    c = 0.0
    for i in range(n):
        for j in range(n):
            c = 0.5 * c + x[j, 0] - x[i, 0]
            F[i] += c
    return F


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
