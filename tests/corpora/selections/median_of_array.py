# expect: RED505 safe scope=median
import numpy as np


def median(x):
    flat = x.ravel()
    n = flat.size
    ordered = np.sort(flat)
    return (ordered[(n - 1) // 2] + ordered[n // 2]) / 2


def cases(rng):
    yield "median", (rng.standard_normal((3, 4)),), {}
    yield "median", (rng.standard_normal(5).astype(np.float32),), {}
    yield "median", (np.array([[7]]),), {}
