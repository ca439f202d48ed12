# expect: LOC305 safe scope=f
import numpy as np


def f(x, m, G=1.0, eps=0.1):
    n = len(x)
    e = 0.0
    for i in range(n):
        row = 0.0
        for j in range(i + 1, n):
            row += m[j] / (np.linalg.norm(x[i] - x[j]) + eps)
        e -= row
    return e


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
