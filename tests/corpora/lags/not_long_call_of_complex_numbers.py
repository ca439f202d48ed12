# refuse: SYM604 transforms of real numbers leave out the rest
import numpy as np


def f(rate: float):
    x = np.sin(np.arange(2048) * rate)
    h = np.ones(600, dtype=np.complex128)
    h *= 1j
    return np.convolve(x.astype(np.complex128), h)


def cases(rng):
    yield "f", (0.1,), {}
    yield "f", (0.37,), {}
