# expect: SEP205 safe scope=rational_quadratic
# may: SYM601 safe scope=rational_quadratic

import numpy as np


def rational_quadratic(X: np.ndarray, scale: float, alpha: float):
    n, d = X.shape
    K = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            delta = X[i] - X[j]
            squared = np.dot(delta, delta)
            K[i, j] = (1 + squared / (2 * alpha * scale**2)) ** -alpha
    return K


def cases(rng):
    for shape in ((4, 3), (1, 2), (6, 1)):
        yield "rational_quadratic", (rng.random(shape), 0.7, 1.3), {}
    yield "rational_quadratic", (rng.random((4, 3)).T, 0.7, 1.3), {}
