# refuse: RED502 both results are the caller's, who may change one

import numpy as np


def two_copies(x: np.ndarray):
    order = np.argsort(x)
    free = np.argsort(x)
    return order, free


def cases(rng):
    yield "two_copies", (rng.normal(size=5),), {}
