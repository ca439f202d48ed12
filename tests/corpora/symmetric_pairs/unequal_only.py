# expect: SYM601 safe scope=table

import numpy as np


def overlap(p, q):
    return p[0] * q[0] / (p[0] + q[0]) + abs(p[1] - q[1])


def table(points: np.ndarray):
    n = points.shape[0]
    out = np.ones((n, n))
    for first in range(n):
        for second in range(n):
            if first != second:
                value = overlap(points[first], points[second])
                out[first, second] = value
    return out


def cases(rng):
    yield "table", (rng.random((5, 2)) + 0.1,), {}
    yield "table", (rng.random((1, 2)) + 0.1,), {}
