# refuse: a flag says whether there is something to read
import numpy as np


def f(x: np.ndarray, bias, biased: bool):
    (n,) = x.shape
    out = np.zeros(n)
    for i in range(n):
        if biased:
            out[i] = x[i] + bias[i]
        else:
            out[i] = x[i] * 2
    return out


def cases(rng):
    yield "f", (rng.random(3), None, False), {}
    yield "f", (rng.random(3), rng.random(3), True), {}
