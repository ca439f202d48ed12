# refuse: SYM604 the first tap is left out
import numpy as np


def f(x: np.ndarray, h: np.ndarray):
    n, m = len(x), len(h)
    y = np.zeros(n)
    for t in range(n):
        for k in range(1, m):
            if t - k >= 0:
                y[t] += h[k] * x[t - k]
    return y


def cases(rng):
    for n, m in ((1, 1), (2, 3), (7, 3), (12, 12)):
        yield "f", (rng.normal(size=n), rng.normal(size=m)), {}
