# expect: SYM603 safe scope=f
import numpy as np
from scipy import linalg


def f(x: np.ndarray, c: np.ndarray):
    assert x.ndim == 1
    return np.dot(linalg.circulant(c), x)


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
    yield "f", (rng.normal(size=18)[::2], rng.normal(size=9)[::-1]), {}
