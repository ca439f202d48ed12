# refuse: ASC104 the two states are multiplied
import numpy as np


def f(x: np.ndarray):
    y1 = y2 = 1.0
    out = np.empty(len(x))
    for i in range(len(x)):
        y = x[i] + 0.1 * y1 * y2
        y2, y1 = y1, y
        out[i] = y
    return out


def cases(rng):
    for n in (1, 2, 140):
        yield "f", (rng.standard_normal(n),), {}
