# expect: SYM603 safe scope=f
import numpy as np


def f(x: np.ndarray, c: np.ndarray):
    (n,) = c.shape
    assert x.ndim == 1
    return np.array([sum(c[(i - j) % n] * x[j] for j in range(n)) for i in range(n)])


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
        yield "f", (rng.normal(size=n + 3), rng.normal(size=n)), {}
