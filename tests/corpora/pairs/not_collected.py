# refuse: LOC305 pairs are appended to a list
import numpy as np


def f(x, m, G=1.0, eps=0.1):
    n = len(x)
    F = np.zeros_like(x)
    seen = []
    for i in range(n):
        for j in range(n):
            F[i] += x[j] - x[i]
            seen.append(j)
    return F, seen


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
