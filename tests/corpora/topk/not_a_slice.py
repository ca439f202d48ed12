# refuse: ASC110 all of it is taken, or nothing is joined

import numpy as np


def ordered(x):
    return np.sort(x)[()]


def none():
    rows = []
    return np.vstack(rows) if rows else None


def cases(rng):
    yield "ordered", (rng.random(4),), {}
    yield "none", (), {}
