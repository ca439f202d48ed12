# expect: LOC305 safe scope=f
import math

import numpy as np


def f(x, m, G=1.0, eps=0.1):
    n = x.shape[0]
    fx = np.zeros(n)
    fy = np.zeros(n)
    for i in range(n):
        for j in range(n):
            if j == i:
                continue
            dx = x[j][0] - x[i][0]
            dy = x[j][1] - x[i][1]
            d2 = dx * dx + dy * dy + eps * eps
            s = G * m[i] * m[j] / (d2 * math.sqrt(d2))
            fx[i] += s * dx
            fy[i] += s * dy
    return fx, fy


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
