# refuse: SYM601 the weights are those of one of both

import numpy as np


def project(a: np.ndarray, b: np.ndarray):
    n, d = a.shape
    g = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            value = np.sum((a[i] - a[j]) * b[i])
            g[j, i] = value
    return g


def cases(rng):
    yield "project", (rng.random((4, 3)), rng.random((4, 3))), {}
