# expect: LOC305 safe scope=f
import numpy as np


def f(x, m, G=1.0, eps=0.1):
    n = len(x)
    acc = np.zeros((n, 3))
    for i in range(n):
        for j in range(n):
            if i != j:
                dx = x[j, 0] - x[i, 0]
                dy = x[j, 1] - x[i, 1]
                dz = x[j, 2] - x[i, 2]
                inv = (dx**2 + dy**2 + dz**2 + eps**2) ** -1.5
                acc[i] += G * m[j] * inv * (x[j] - x[i])
    return acc


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
