# refuse: SYM603 a list of the rows is changed before
import numpy as np


def f(x: np.ndarray, c: np.ndarray):
    (n,), (n,) = x.shape, c.shape
    rows = [[c[(i - j) % n] for j in range(n)] for i in range(n)]
    rows[0][0] = 1.0
    return np.array(rows) @ x


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
    yield "f", (rng.normal(size=18)[::2], rng.normal(size=9)[::-1]), {}
