# refuse: what divides the rows may be numbers
import numpy as np


def shares(x, totals):
    out = np.zeros_like(x)
    for i in range(len(x)):
        out[i] = x[i] / totals[i]
    return out


def cases(rng):
    yield "shares", (rng.random((5, 5)), rng.random(5)), {}
    yield "shares", (rng.random(1), rng.random(1)), {}
