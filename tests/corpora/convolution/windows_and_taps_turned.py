# expect: LOC303 safe scope=f
import numpy as np


def f(x: np.ndarray, h: np.ndarray):
    (n,), (m,) = x.shape, h.shape
    y = np.zeros(n - m + 1)
    for t in range(n - m + 1):
        y[t] = np.dot(x[t : t + m], h[::-1])
    return y


def cases(rng):
    for n, m in ((1, 1), (5, 2), (7, 3), (12, 12)):
        yield "f", (rng.normal(size=n), rng.normal(size=m)), {}
    yield "f", (rng.normal(size=18)[::2], rng.normal(size=5)[::-1]), {}
