# expect: LOC305 safe scope=f
import numpy as np


def f(x, m, G=1.0, eps=0.1):
    a = np.zeros_like(x)
    for i, p in enumerate(x):
        for j, q in enumerate(x):
            if i == j:
                continue
            r = q - p
            a[i] += G * m[j] * r / (np.linalg.norm(r) ** 3 + eps)
    return a


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
