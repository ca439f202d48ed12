# refuse: SYM603 the vector is changed before the product
import numpy as np


def f(x: np.ndarray, c: np.ndarray):
    (n,), (n,) = x.shape, c.shape
    matrix = np.stack([np.roll(c, k) for k in range(n)], axis=1)
    c *= 0.5
    return matrix @ x


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
