# expect: LOC306 safe scope=two_out
import numpy as np


def two_out(x: np.ndarray):
    s, c = np.zeros(len(x)), np.zeros(len(x))
    for i, v in enumerate(x):
        s[i] = np.sin(v)
        c[i] = np.cos(v) ** 2
    return s, c


def cases(rng):
    yield "two_out", (rng.random(9),), {}
    yield "two_out", (rng.random(1),), {}
