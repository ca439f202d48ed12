# refuse: RED502 each call draws other numbers
import numpy as np


def jittered(t):
    return np.exp(-t) + np.random.normal(size=t.shape)


def spread(t: np.ndarray):
    return jittered(t) - jittered(t)


def cases(rng):
    for shape in ((1,), (5,)):
        yield "spread", (rng.normal(size=shape),), {}
