# refuse: SYM604 what is there is taken away from what is added, or multiplied
import numpy as np


def turned(x: np.ndarray, h: np.ndarray):
    n, m = len(x), len(h)
    y = np.zeros(n)
    for t in range(n):
        for k in range(m):
            if t >= k:
                y[t] = h[k] * x[t - k] - y[t]
    return y


def multiplied(x: np.ndarray, h: np.ndarray):
    n, m = len(x), len(h)
    y = np.zeros(n)
    for t in range(n):
        for k in range(m):
            if t >= k:
                y[t] = y[t] * h[k] + x[t - k]
    return y


def cases(rng):
    for name in ("turned", "multiplied"):
        yield name, (rng.normal(size=7), rng.normal(size=3)), {}
        yield name, (rng.normal(size=1), rng.normal(size=3)), {}
