# expect: SYM604 safe scope=f
import numpy as np


def f(x: np.ndarray, h: np.ndarray):
    (n,), (n,) = x.shape, h.shape
    lower = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            lower[i, j] = h[i - j]
    return lower @ x


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
    yield "f", (rng.normal(size=18)[::2], rng.normal(size=9)[::-1]), {}
