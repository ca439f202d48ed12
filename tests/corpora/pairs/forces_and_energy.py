# expect: LOC305 safe scope=f
import numpy as np


def f(x, m, G=1.0, eps=0.1):
    n = x.shape[0]
    F = np.zeros(x.shape)
    U = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            r = x[i] - x[j]
            d2 = np.sum(r * r) + eps
            f = m[i] * m[j] / d2
            U = U + f
            F[i] += f * r
            F[j] -= f * r
    return F, U


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
