# refuse: SYM604 only every second place is filled
import numpy as np


def f(x: np.ndarray, h: np.ndarray):
    n, m = len(x), len(h)
    y = np.zeros(n)
    for t in range(n):
        for k in range(m):
            if t - k >= 0 and t % 2 == 0:
                y[t] += h[k] * x[t - k]
    return y


def cases(rng):
    for n, m in ((1, 1), (2, 3), (7, 3), (12, 12)):
        yield "f", (rng.normal(size=n), rng.normal(size=m)), {}
