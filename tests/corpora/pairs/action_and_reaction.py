# expect: LOC305 safe scope=f
import numpy as np


def f(x, m, G=1.0, eps=0.1):
    n = x.shape[0]
    F = np.zeros_like(x)
    for i in range(n):
        for j in range(i + 1, n):
            r = x[j] - x[i]
            d = np.sqrt(np.sum(r**2)) + eps
            Fij = G * m[i] * m[j] * r / d**3
            F[i] += Fij
            F[j] -= Fij
    return F


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
