# expect: SYM603 safe scope=f
import numpy as np


def f(x: np.ndarray, c: np.ndarray):
    (n,), (n,) = x.shape, c.shape
    matrix = np.array([[c[(i - j) % n] for j in range(n)] for i in range(n)])
    return matrix @ x


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
    yield "f", (rng.normal(size=18)[::2], rng.normal(size=9)[::-1]), {}
