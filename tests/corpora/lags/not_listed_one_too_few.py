# refuse: SYM604 the last tap is left out
import numpy as np


def f(x: np.ndarray, h: np.ndarray):
    (n,), (m,) = x.shape, h.shape
    return np.array([sum(h[k] * x[t - k] for k in range(min(t, m))) for t in range(n)])


def cases(rng):
    for n, m in ((1, 1), (2, 5), (7, 3), (12, 12)):
        yield "f", (rng.normal(size=n), rng.normal(size=m)), {}
    yield "f", (rng.normal(size=18)[::2], rng.normal(size=5)[::-1]), {}
