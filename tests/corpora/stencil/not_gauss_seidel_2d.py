# refuse: the loops read what they wrote
import numpy as np


def gs2(u: np.ndarray):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    return u


def cases(rng):
    yield "gs2", (rng.random((5, 7)),), {}
    yield "gs2", (rng.random((3, 1)),), {}
