# refuse: SPA406 the groups change from step to step, or what is taken of them is no sum
import numpy as np


def other(X, y, k):
    means = []
    for c in range(k):
        y = y + 1
        means.append(X[y == c].mean(axis=0))
    return np.stack(means)


def median(X, y, k):
    return np.array([np.median(X[y == c], axis=0) for c in range(k)])


def cases(rng):
    groups = np.array([0, 2, 1, 1, 0])
    yield "other", (rng.normal(size=(5, 2)), groups - 1, 1), {}
    yield "median", (rng.normal(size=(5, 2)), groups, 3), {}
