# refuse: SYM601 only pairs that are near, by what the first of them says, have a value

import numpy as np


def strength(p, q):
    return abs(p[0] - q[0]) ** 1.5 + abs(p[1] - q[1]) ** 1.5


def table(points: np.ndarray, reach: np.ndarray):
    n = points.shape[0]
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if abs(points[i, 0] - points[j, 0]) < reach[i]:
                out[i, j] = strength(points[i], points[j])
    return out


def cases(rng):
    yield "table", (rng.random((5, 2)), rng.random(5)), {}
