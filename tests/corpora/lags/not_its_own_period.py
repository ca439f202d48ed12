# refuse: SYM603 the modulus is another number
import numpy as np


def f(x: np.ndarray, c: np.ndarray):
    (n,) = c.shape
    y = np.zeros(n)
    for i in range(n):
        for j in range(n):
            y[i] += c[(i - j) % max(n - 1, 1)] * x[j]
    return y


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
