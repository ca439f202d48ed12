# expect: SYM604 safe scope=f
import numpy as np


def f(x: np.ndarray, c: np.ndarray, r: np.ndarray):
    m, n = len(c), len(r)
    y = np.zeros(m)
    for i in range(m):
        for j in range(n):
            y[i] += (r[j - i] if j >= i else c[i - j]) * x[j]
    return y


def cases(rng):
    for m, n in ((1, 1), (1, 3), (4, 1), (7, 12), (12, 7)):
        yield "f", (rng.normal(size=n), rng.normal(size=m), rng.normal(size=n)), {}
    yield "f", (rng.normal(size=18)[::2], rng.normal(size=5)[::-1], rng.normal(size=9)), {}
