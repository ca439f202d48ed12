# expect: SYM604 safe scope=summed
# expect: SYM604 safe scope=dotted
import numpy as np


def summed(signal: np.ndarray):
    n = len(signal)
    r = np.zeros(n)
    for lag in range(n):
        r[lag] = np.sum(signal[: n - lag] * signal[lag:])
    return r


def dotted(x: np.ndarray):
    size = x.shape[0]
    found = np.zeros(size)
    for back in range(size):
        found[back] = np.dot(x[back:], x[: size - back])
    return found


def cases(rng):
    for n in (0, 1, 2, 9):
        yield "summed", (rng.standard_normal(n),), {}
        yield "dotted", (rng.standard_normal(n),), {}
