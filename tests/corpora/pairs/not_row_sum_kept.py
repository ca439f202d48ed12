# refuse: LOC305 the sum goes on from row to row
import numpy as np


def f(x, m, G=1.0, eps=0.1):
    n = len(x)
    a = np.zeros((n, 3))
    s = np.zeros(3)
    for i in range(n):
        for j in range(n):
            s += x[j] - x[i]
        a[i] = s
    return a


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
