# expect: SYM604 safe scope=f
import numpy as np


def f(x: np.ndarray, h: np.ndarray):
    """An impulse response applied to a signal."""
    n, m = len(x), len(h)
    y = np.zeros(n)
    for t in range(n):
        total = 0.0
        for k in range(min(m, t + 1)):
            total += h[k] * x[t - k]  # the past only
        y[t] = total
    return y


def cases(rng):
    for n, m in ((1, 1), (2, 2), (7, 3), (12, 12)):
        yield "f", (rng.normal(size=n), rng.normal(size=m)), {}
