# expect: SPA406 unsafe scope=counted
# expect: SPA406 unsafe scope=gathered
"""Sums by labels that a loop walks, of which nothing says that they are arrays."""

import numpy as np


def counted(labels):
    counts = np.zeros(6, dtype=int)
    for label in labels:
        counts[label] += 1
    return counts


def gathered(x, labels):
    out = np.zeros((6, x.shape[1]))
    for row, label in zip(x, labels):
        out[label] += row
    return out


def cases(rng):
    for n in (0, 1, 9):
        yield "counted", (rng.integers(0, 6, n),), {}
        yield "gathered", (rng.standard_normal((n, 2)), rng.integers(0, 6, n)), {}
