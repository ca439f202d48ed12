# refuse: SYM603 the last place is left out
import numpy as np


def f(x: np.ndarray, c: np.ndarray):
    (n,) = c.shape
    y = np.zeros(n)
    for i in range(n):
        for j in range(n - 1):
            y[i] += c[(i - j) % n] * x[j]
    return y


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
