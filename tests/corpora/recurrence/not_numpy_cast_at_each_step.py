# refuse: ASC101 the state is rounded at each step
import numpy as np


def mixed(x, a):
    h = np.float32(0)
    out = np.zeros(len(x))
    for i in range(len(x)):
        h = np.float32(a * h + x[i])
        out[i] = h
    return out


def cases(rng):
    yield "mixed", (rng.standard_normal(60), 0.9), {}
