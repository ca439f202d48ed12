# refuse: what is compared may be a list
import numpy as np


def f(x, out: np.ndarray):
    for i in range(len(x)):
        out[i] = 1.0 if x[i] > 2 else 0.0
    return out


def cases(rng):
    yield "f", ([1.0, 2.0, 3.0], np.ones(3)), {}
    yield "f", (np.array([1.0, 2.0, 3.0]), np.ones(3)), {}
