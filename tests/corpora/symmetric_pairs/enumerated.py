# expect: SYM601 safe scope=distances

import numpy as np


def distances(points: np.ndarray):
    n, d = points.shape
    out = np.zeros((n, n))
    for i, p in enumerate(points):
        for j, q in enumerate(points):
            apart = np.abs(p - q)
            out[i, j] = np.max(apart) + 0.5 * np.linalg.norm(apart, 3)
    return out


def cases(rng):
    yield "distances", (rng.random((5, 2)),), {}
    yield "distances", (rng.random((1, 3)),), {}
    yield "distances", (rng.random((3, 4)).T,), {}
