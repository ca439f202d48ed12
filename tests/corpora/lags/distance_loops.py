# expect: SYM604 safe scope=f
import numpy as np


def f(x: np.ndarray, t: np.ndarray):
    n = len(t)
    y = np.zeros(n)
    for i in range(n):
        for j in range(n):
            y[i] += t[abs(i - j)] * x[j]
    return y


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
    yield "f", (rng.normal(size=18)[::2], rng.normal(size=9)[::-1]), {}
