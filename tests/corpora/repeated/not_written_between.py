# refuse: RED502 the array is written in between through a view

import numpy as np


def before_and_after(x: np.ndarray):
    first = np.exp(x)
    head = x[:1]
    head += 1.0
    return first.max() + np.exp(x).max()


def cases(rng):
    yield "before_and_after", (rng.normal(size=4),), {}
