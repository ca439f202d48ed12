# refuse: SYM603 the cells round what is put into them
import numpy as np


def f(x: np.ndarray, c: np.ndarray):
    (n,), (n,) = x.shape, c.shape
    c = c.astype(np.float64)
    matrix = np.zeros((n, n), dtype=np.float32)
    for i in range(n):
        for j in range(n):
            matrix[i, j] = c[(i - j) % n]
    return matrix @ x


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
    yield "f", (rng.normal(size=18)[::2], rng.normal(size=9)[::-1]), {}
