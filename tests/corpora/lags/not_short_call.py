# refuse: SYM604 the window is too short for transforms to pay
import numpy as np


def f(rate: float):
    x = np.sin(np.arange(2048) * rate)
    return np.convolve(x, np.ones(9) / 9, mode="same")


def cases(rng):
    yield "f", (0.1,), {}
    yield "f", (0.37,), {}
