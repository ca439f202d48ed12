# expect: LOC305 safe scope=f
import numpy as np


def f(x, m, G=1.0, eps=0.1):
    n = x.shape[0]
    k = np.zeros(n)
    for i in range(n):
        for j in range(n):
            k[i] += m[j] * np.exp(-np.dot(x[i] - x[j], x[i] - x[j]) / (2 * eps))
    return k


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
