# may: LOC306 safe scope=poly
# refuse: LOC301 several products go to one cell along two loops

import numpy as np


def poly(a, b):
    c = np.zeros(len(a) + len(b) - 1)
    for i in range(len(a)):
        for j in range(len(b)):
            c[i + j] += a[i] * b[j]
    return c


def cases(rng):
    yield "poly", (rng.random(4), rng.random(3)), {}
