# expect: SYM603 safe scope=f
import numpy as np


def f(x: np.ndarray, c: np.ndarray):
    (n,) = c.shape
    y = np.zeros(n)
    for i in range(n):
        for j in range(n):
            y[i] += c[(i - j) % n] * x[j]
    return y


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
