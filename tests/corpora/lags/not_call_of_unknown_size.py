# refuse: SYM604 no sizes are stated
import numpy as np


def f(x: np.ndarray, h: np.ndarray):
    return np.convolve(x, h)


def cases(rng):
    for n, m in ((1, 1), (2, 5), (7, 3), (12, 12)):
        yield "f", (rng.normal(size=n), rng.normal(size=m)), {}
    yield "f", (rng.normal(size=18)[::2], rng.normal(size=5)[::-1]), {}
