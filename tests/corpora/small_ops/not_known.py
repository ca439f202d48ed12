# refuse: what is called is not known
import numpy as np


def unknown_call(x: np.ndarray, f=abs):
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        out[i] = f(x[i]) * 2
    return out


def cases(rng):
    yield "unknown_call", (rng.random(9),), {}
    yield "unknown_call", (rng.random(1),), {}
