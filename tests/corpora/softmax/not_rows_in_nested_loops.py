# refuse: ASC107 the exponentials are not divided by their own sum
"""Rows in loops over all axes but the last, divided by the sum of all rows so far or of another."""

import numpy as np


def by_all_so_far(x):
    out = np.empty_like(x)
    total = 0.0
    for b in range(x.shape[0]):
        for i in range(x.shape[1]):
            row = np.exp(x[b, i] - x[b, i].max())
            total = total + row.sum()
            out[b, i] = row / total
    return out


def by_the_first(x):
    out = np.empty_like(x)
    for b in range(len(x)):
        for i in range(len(x[b])):
            row = np.exp(x[b][i] - x[b][i].max())
            out[b][i] = row / np.exp(x[b][0] - x[b][0].max()).sum()
    return out


def cases(rng):
    for shape in ((2, 3, 5), (1, 1, 4), (3, 2, 1)):
        yield "by_all_so_far", (rng.standard_normal(shape),), {}
        yield "by_the_first", (rng.standard_normal(shape),), {}
