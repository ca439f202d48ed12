# expect: LOC305 safe scope=f
import numpy as np


def f(x, m, G=1.0, eps=0.1):
    n = len(x)
    F = np.zeros_like(x)
    for i in range(n):
        for j in range(n):
            r = x[j] - x[i]
            if r[0] > eps:
                continue
            F[i] += r
    return F


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
