# refuse: LOC303 every second tap, from the end
import numpy as np


def f(x: np.ndarray, h: np.ndarray):
    (n,), (m,) = x.shape, h.shape
    k = (m + 1) // 2
    y = np.zeros(n)
    for t in range(n - k + 1):
        y[t] = np.dot(x[t : t + k], h[::-2])
    return y


def cases(rng):
    for n, m in ((1, 1), (5, 2), (7, 3), (12, 12)):
        yield "f", (rng.normal(size=n), rng.normal(size=m)), {}
    yield "f", (rng.normal(size=18)[::2], rng.normal(size=5)[::-1]), {}
