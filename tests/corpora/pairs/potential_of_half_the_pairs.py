# expect: LOC305 safe scope=f
import numpy as np


def f(x, m, G=1.0, eps=0.1):
    n = x.shape[0]
    pot = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            pot += -G * m[i] * m[j] / np.linalg.norm(x[i] - x[j])
    return pot


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
