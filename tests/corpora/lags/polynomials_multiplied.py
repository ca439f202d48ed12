# expect: SYM604 safe scope=f
import numpy as np


def f(a: np.ndarray, b: np.ndarray):
    product = np.zeros(len(a) + len(b) - 1)
    for i in range(len(a)):
        for j in range(len(b)):
            product[i + j] += a[i] * b[j]
    return product


def cases(rng):
    for n, m in ((1, 1), (2, 2), (7, 3), (12, 12)):
        yield "f", (rng.normal(size=n), rng.normal(size=m)), {}
