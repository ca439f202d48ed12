# refuse: what is read was written a few steps before
import numpy as np


def spread(x: np.ndarray, factor: int):
    for i in range(len(x) // factor):
        x[i] = x[i * factor] + 1
    return x


def cases(rng):
    yield "spread", (rng.standard_normal(9), 2), {}
