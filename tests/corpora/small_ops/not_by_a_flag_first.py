# refuse: a flag says whether there is a condition to ask
import numpy as np


def f(x: np.ndarray, mask, masked: bool):
    (n,) = x.shape
    out = np.zeros(n)
    for i in range(n):
        if masked and mask[i] > 0:
            out[i] = x[i]
        else:
            out[i] = x[i] * 2
    return out


def cases(rng):
    yield "f", (rng.random(3), None, False), {}
    yield "f", (rng.random(3), rng.random(3), True), {}
