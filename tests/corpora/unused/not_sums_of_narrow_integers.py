# refuse: RED509 what is made of a parameter may be narrow integers, which wrap around
import numpy as np


def of_products(a, b):
    """a: (n, k), b: (k, m)"""
    return (a.astype(np.int8) @ b.astype(np.int8)).sum()


def by_a_name(a):
    narrow = a.astype(np.int8)
    return (narrow @ narrow.T).sum()


def cases(rng):
    yield "of_products", (rng.integers(0, 100, (5, 3)), rng.integers(0, 100, (3, 4))), {}
    yield "by_a_name", (rng.integers(0, 100, (5, 3)),), {}
