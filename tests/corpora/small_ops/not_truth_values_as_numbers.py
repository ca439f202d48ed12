# refuse: a number of Python takes the type of what it meets, and an array of numbers does not
import numpy as np


def f(x: np.ndarray):
    (n,) = x.shape
    out = np.zeros(n)
    for i in range(n):
        out[i] = int(x[i] > 0) * x[i] + int(x[i] > 1) * x[i]
    return out


def cases(rng):
    yield "f", (np.array([3, 200, 0], dtype=np.uint8),), {}
