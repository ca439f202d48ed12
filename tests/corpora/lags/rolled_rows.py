# expect: SYM603 safe scope=f
import numpy as np


def f(x: np.ndarray, c: np.ndarray):
    (n,), (n,) = x.shape, c.shape
    matrix = np.stack([np.roll(c, k) for k in range(n)])
    return matrix @ x


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
