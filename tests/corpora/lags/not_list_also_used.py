# refuse: SYM603 the largest sum is taken from the list as well
import numpy as np


def scaled(a: np.ndarray, b: np.ndarray):
    (n,) = a.shape
    (n,) = b.shape
    sums = [np.sum(a * np.roll(b, s)) for s in range(n)]
    largest = max(sums)
    return np.array(sums) / largest


def cases(rng):
    yield "scaled", (rng.standard_normal(7), rng.standard_normal(7)), {}
