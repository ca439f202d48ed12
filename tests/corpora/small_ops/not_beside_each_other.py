# refuse: LOC306 of one row nothing says whether it is a number
import numpy as np


def spread(a, b: np.ndarray):
    out = np.zeros((len(a), b.shape[1]))
    for i in range(len(a)):
        out[i] = a[i, None] * b[i]
    return out


def cases(rng):
    yield "spread", (rng.normal(size=3), rng.normal(size=(3, 2))), {}
    yield "spread", (rng.normal(size=(2, 2)), rng.normal(size=(2, 2))), {}
