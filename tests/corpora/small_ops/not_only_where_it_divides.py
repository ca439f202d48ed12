# refuse: only the condition keeps a step from dividing by zero
import numpy as np


def weights(n):
    out = np.zeros(n)
    for i in range(n):
        if i > 0:
            out[i] = 1.0 / i
    return out


def cases(rng):
    yield "weights", (7,), {}
