# refuse: the items are objects, each with operators of its own
import numpy as np


def halves(a):
    given = np.asarray(a, dtype=object)
    out = np.zeros(len(given))
    for i in range(len(given)):
        out[i] += given[i] / 2
    return out


def cases(rng):
    yield "halves", (rng.standard_normal(4),), {}
    yield "halves", ([1, 2.0],), {}
