# refuse: SYM604 a tap is read for the last time only
import numpy as np


def f(x: np.ndarray, h: np.ndarray):
    n, m = len(x), len(h)
    y = np.zeros(n)
    for t in range(n):
        for k in range(min(t + 1, m)):
            y[t] = h[k] * x[t - k]
    return y


def cases(rng):
    for n, m in ((1, 1), (2, 2), (7, 3), (12, 12)):
        yield "f", (rng.normal(size=n), rng.normal(size=m)), {}
