# expect: SYM604 safe scope=f
import numpy as np


def f(x: np.ndarray, h: np.ndarray):
    n, m = len(x), len(h) - 1
    y = np.zeros(n)
    for t in range(n):
        for k in range(m):
            if t - k >= 0:
                y[t] += h[k] * x[t - k]
    return y


def cases(rng):
    for n, m in ((1, 1), (2, 3), (7, 3), (12, 12)):
        yield "f", (rng.normal(size=n), rng.normal(size=m)), {}
