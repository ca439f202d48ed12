# expect: ASC108 safe scope=stats
import numpy as np


def stats(x: np.ndarray):
    n = 0
    mean = 0.0
    m2 = 0.0
    for v in x:
        n += 1
        d = v - mean
        mean += d / n
        m2 += d * (v - mean)
    return n, mean, m2


def cases(rng):
    for n in (0, 1, 2, 9):
        yield "stats", (rng.normal(size=n) + 3,), {}
    yield "stats", (rng.normal(size=(5, 2)),), {}
    yield "stats", (np.array([3, 1, 4]),), {}
