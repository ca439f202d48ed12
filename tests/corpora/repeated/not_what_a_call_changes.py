# refuse: RED502 the call in between changes the array

import numpy as np


def jitter(x):
    x[0] = x[0] * 2 + 1
    x.sort()


def spread(x: np.ndarray):
    before = np.sort(x)
    jitter(x)
    after = np.sort(x)
    return (after - before).sum()


def cases(rng):
    yield "spread", (rng.normal(size=5),), {}
