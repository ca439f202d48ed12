# expect: SYM603 unsafe scope=f
import numpy as np
from scipy.linalg import circulant


def f(x: np.ndarray, c: np.ndarray):
    return circulant(c) @ x


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
    yield "f", (rng.normal(size=18)[::2], rng.normal(size=9)[::-1]), {}
    yield "f", (rng.normal(size=(5, 3)), rng.normal(size=5)), {}
