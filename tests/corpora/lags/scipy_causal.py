# expect: SYM604 safe scope=f
import numpy as np
from scipy.linalg import toeplitz


def f(x: np.ndarray, h: np.ndarray):
    assert len(x.shape) == 1
    lower = toeplitz(h, np.zeros_like(h))
    return lower @ x


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
    yield "f", (rng.normal(size=18)[::2], rng.normal(size=9)[::-1]), {}
