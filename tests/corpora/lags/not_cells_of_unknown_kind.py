# refuse: SYM603 the type of the cells is not known
# What is added up may be whole numbers, or rows.
import numpy as np


def f(x: np.ndarray, c: np.ndarray, y: np.ndarray):
    (n,), (n,) = x.shape, c.shape
    for i in range(n):
        for j in range(n):
            y[i] += c[(i - j) % n] * x[j]
    return y


def cases(rng):
    yield "f", (rng.normal(size=3), rng.normal(size=3), np.zeros((3, 2))), {}
    yield "f", (np.ones(3), np.arange(3.0), np.zeros(3, int)), {}
