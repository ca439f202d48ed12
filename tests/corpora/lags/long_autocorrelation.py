# expect: SYM604 unsafe scope=f
import numpy as np


def f(rate: float):
    x = np.sin(np.arange(2048) * rate)
    return np.correlate(x, x, mode="full")[2047:]


def cases(rng):
    yield "f", (0.1,), {}
    yield "f", (0.37,), {}
