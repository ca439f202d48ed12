# refuse: ASC110 a slice of an array shares its elements, which the sort puts in order
import numpy as np


def lowest(x):
    y = x[:]
    y.sort()
    return y[:3]


def cases(rng):
    yield "lowest", (np.array([3.0, 1.0, 2.0, 0.0]),), {}
