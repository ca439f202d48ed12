# refuse: RED502 the helper changes what it is given
import numpy as np


def grown(t):
    t += 1
    return np.exp(-t)


def fading(t: np.ndarray):
    return grown(t) / (1 + grown(t))


def cases(rng):
    for shape in ((1,), (5,)):
        yield "fading", (rng.normal(size=shape),), {}
