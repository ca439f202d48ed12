# refuse: SYM601 the weight is that of one of both

import numpy as np


def influence(X: np.ndarray, weight: np.ndarray):
    n, d = X.shape
    K = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            delta = X[i] - X[j]
            K[i, j] = weight[j] * np.exp(-np.dot(delta, delta))
    return K


def cases(rng):
    yield "influence", (rng.random((4, 3)), rng.random(4)), {}
