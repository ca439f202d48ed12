# expect: SYM604 safe scope=f
import numpy as np
from scipy.linalg import toeplitz


def f(x: np.ndarray, c: np.ndarray, r: np.ndarray):
    if x.ndim != 1:
        raise ValueError("one signal")
    return toeplitz(c, r) @ x


def cases(rng):
    for m, n in ((1, 1), (1, 3), (4, 1), (7, 12), (12, 7)):
        yield "f", (rng.normal(size=n), rng.normal(size=m), rng.normal(size=n)), {}
    yield "f", (rng.normal(size=18)[::2], rng.normal(size=5)[::-1], rng.normal(size=9)), {}
