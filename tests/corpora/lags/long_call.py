# expect: SYM604 unsafe scope=f
import numpy as np


def f(rate: float):
    x = np.sin(np.arange(2048) * rate)
    h = np.exp(-np.linspace(0.0, 5.0, 600))
    return np.convolve(x, h, mode="same")


def cases(rng):
    yield "f", (0.1,), {}
    yield "f", (0.37,), {}
