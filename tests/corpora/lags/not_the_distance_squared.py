# refuse: SYM604 the places are not a distance
import numpy as np


def f(x: np.ndarray, t: np.ndarray):
    (n,) = x.shape
    assert t.ndim == 1
    i = np.arange(n)
    return t[(i[:, None] - i[None, :]) ** 2] @ x


def cases(rng):
    for n in (1, 2, 5):
        yield "f", (rng.normal(size=n), rng.normal(size=n * n)), {}
