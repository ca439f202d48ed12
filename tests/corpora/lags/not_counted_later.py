# refuse: SYM603 the loop variable is read after the loops
import numpy as np


def f(x: np.ndarray, c: np.ndarray):
    (n,) = c.shape
    y = np.zeros(n)
    for i in range(n):
        for j in range(n):
            y[i] += c[(i - j) % n] * x[j]
    return y, j


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
