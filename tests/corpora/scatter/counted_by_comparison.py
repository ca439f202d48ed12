# expect: SPA406 unsafe scope=histogram
# expect: SPA406 unsafe scope=shares
# expect: SPA406 unsafe scope=of_unknown_axes
import numpy as np


def histogram(labels, n):
    (rows,) = labels.shape
    return (labels[:, None] == np.arange(n)).sum(axis=0)


def shares(labels, x, k):
    (rows,) = labels.shape
    member = (labels[:, None] == np.arange(k)).astype(float)
    return x.sum(), member.mean(0)


def of_unknown_axes(labels, n):
    member = labels[:, None] == np.arange(n)
    return member.sum(0)


def cases(rng):
    for rows in (7, 1, 0):
        yield "histogram", (rng.integers(0, 6, rows), 4), {}
        yield "of_unknown_axes", (rng.integers(0, 6, rows), 6), {}
        yield "shares", (rng.integers(0, 4, rows), rng.normal(size=(rows, 3)), 4), {}
