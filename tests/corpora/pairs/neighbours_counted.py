# expect: LOC305 safe scope=f
import numpy as np


def f(x, m, G=1.0, eps=0.1):
    n = x.shape[0]
    count = np.zeros(n, dtype=int)
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            count[i] += np.linalg.norm(x[i] - x[j]) < eps * 10
    return count


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
