# refuse: the last pair is known later, a step leaves all loops, or what is walked changes
from itertools import combinations, product

import numpy as np


def last(a: np.ndarray, b: np.ndarray):
    i = j = -1
    out = np.zeros((len(a), len(b)))
    for i, j in combinations(range(len(a)), 2):
        out[i, j] = a[i] * b[j]
    return out, i, j


def until(a: np.ndarray, b: np.ndarray):
    out = np.zeros((len(a), len(b)))
    for i, j in product(range(len(a)), range(len(b))):
        if a[i] > 0:
            break
        out[i, j] = a[i] * b[j]
    return out


def grown(xs: list[float]):
    total = 0.0
    for a, b in product(xs, xs):
        total += a * b
        if len(xs) < 9:
            xs.append(total)
    return total, xs


def cases(rng):
    for n in (1, 4):
        yield "last", (rng.normal(size=n), rng.normal(size=n)), {}
        yield "until", (rng.normal(size=n), rng.normal(size=3)), {}
        yield "grown", (rng.normal(size=n).tolist(),), {}
