# refuse: the cells that are added to are those that are read
import numpy as np


def spread(counts: np.ndarray):
    for value in counts.ravel():
        counts[int(value)] += 1
    return counts


def cases(rng):
    yield "spread", (np.array([1, 2, 0, 0, 0]),), {}
    yield "spread", (np.zeros(1, dtype=int),), {}
