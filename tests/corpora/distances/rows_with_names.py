# expect: SEP205 unsafe scope=both
# expect: SEP205 unsafe scope=one
import numpy as np


def both(points, others):
    n, m = points.shape[0], others.shape[0]
    table = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            here = points[i]
            there = others[j]
            table[i][j] = np.sqrt(np.sum(np.square(here - there)))
    return table


def one(points, others):
    n, m = points.shape[0], others.shape[0]
    table = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            there = others[j]
            table[i, j] = ((points[i] - there) ** 2).sum()
    return table


def cases(rng):
    for n, m in ((1, 1), (5, 3)):
        points, others = rng.standard_normal((n, 4)), rng.standard_normal((m, 4))
        yield "both", (points, others), {}
        yield "one", (points, others), {}
