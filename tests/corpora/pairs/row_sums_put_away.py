# expect: LOC305 safe scope=f
import numpy as np


def f(x, m, G=1.0, eps=0.1):
    n = len(x)
    a = np.empty((n, 3))
    for i in range(n):
        xi = x[i]
        s = np.zeros_like(x[i])
        for j in range(n):
            if j != i:
                d = x[j] - xi
                s += G * m[j] * d / (d @ d + eps) ** 1.5
        a[i] = s
    return a


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
