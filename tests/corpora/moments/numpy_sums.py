# expect: ASC108 advice scope=f
import numpy as np


def f(a: np.ndarray):
    n = a.shape[0]
    s = a.sum(axis=0)
    q = (a * a).sum(axis=0)
    return q / n - (s / n) ** 2


def cases(rng):
    yield "f", (rng.normal(size=(5, 3)),), {}
