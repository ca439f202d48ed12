# expect: SYM604 safe scope=f
import numpy as np


def f(x: np.ndarray, t: np.ndarray):
    (n,), (n,) = x.shape, t.shape
    i = np.arange(n)
    kernel = t[np.abs(i[:, None] - i[None, :])]
    return kernel @ x


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
    yield "f", (rng.normal(size=18)[::2], rng.normal(size=9)[::-1]), {}
