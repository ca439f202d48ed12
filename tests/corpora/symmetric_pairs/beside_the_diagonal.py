# expect: SYM601 safe scope=repulsion

import numpy as np


def strength(p, q):
    return 1.0 / (abs(p[0] - q[0]) ** 1.5 + abs(p[1] - q[1]) ** 1.5)


def repulsion(points: np.ndarray):
    n = len(points)
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            out[i, j] = strength(points[i], points[j])
    return out


def cases(rng):
    yield "repulsion", (rng.random((5, 2)),), {}
    yield "repulsion", (rng.random((1, 2)),), {}
