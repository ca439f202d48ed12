# refuse: LOC302 a step counts from the end, reads another step's cell, or is no step of an array's
# refuse: LOC306 a step counts from the end, reads another step's cell, or is no step of an array's
import numpy as np


def below_it(v: np.ndarray):
    """The first step writes into the last column."""
    n = len(v)
    d = np.zeros((n, n))
    for i in range(n):
        d[i, i - 1] = v[i] * 2
    return d


def carried(a: np.ndarray):
    n = len(a)
    for i in range(1, n):
        a[i, i] = a[i - 1, i - 1] + 1
    return a


def the_other_one(a: np.ndarray):
    n = len(a)
    for i in range(n):
        a[i, n - 1 - i] = a[i, i] * 2
    return a


def in_lists(a):
    for i in range(len(a)):
        a[i][i] = 0
    return a


def of_itself(a: np.ndarray):
    b = a.T
    for i in range(len(a)):
        a[i, i] = b[i, 0] + b[0, i]
    return a


def cases(rng):
    yield "below_it", (rng.normal(size=3),), {}
    yield "carried", (rng.normal(size=(3, 3)),), {}
    yield "the_other_one", (rng.normal(size=(3, 3)),), {}
    yield "in_lists", ([[1, 2], [3, 4]],), {}
    yield "of_itself", (rng.normal(size=(3, 3)),), {}
