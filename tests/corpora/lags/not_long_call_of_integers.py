# refuse: SYM604 integers are summed exactly
import numpy as np


def f(rate: float):
    x = np.arange(2048) % 17
    return np.convolve(x, x)


def cases(rng):
    yield "f", (0.1,), {}
    yield "f", (0.37,), {}
