# refuse: the condition asks for the step
import numpy as np


def f(x: np.ndarray):
    (n,) = x.shape
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[i - 1] if i > 0 else x[i] * 2
    return out


def cases(rng):
    yield "f", (rng.random(4),), {}
    yield "f", (rng.random(1),), {}
