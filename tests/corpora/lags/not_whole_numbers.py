# refuse: SYM604 integers are summed exactly
import numpy as np


def f(x: np.ndarray, h: np.ndarray):
    x, h = x.astype(np.int64), h.astype(np.int64)
    n = len(x)
    y = np.zeros(n, dtype=np.int64)
    for t in range(n):
        for k in range(min(t + 1, len(h))):
            y[t] += h[k] * x[t - k]
    return y


def cases(rng):
    for n, m in ((1, 1), (2, 2), (7, 3), (12, 12)):
        yield "f", (rng.normal(size=n), rng.normal(size=m)), {}
