# refuse: the carry lives in an integer array, which drops the fraction at each step
import numpy as np


def decay_counts(arrivals, keep=0.7):
    counts = np.zeros(len(arrivals), dtype=int)
    counts[0] = arrivals[0]
    for t in range(1, len(arrivals)):
        counts[t] = keep * counts[t - 1] + arrivals[t]
    return counts


def cases(rng):
    yield "decay_counts", (rng.integers(0, 50, 30),), {}
