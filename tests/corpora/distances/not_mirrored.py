# refuse: the diagonal is not defined, is no zero before, or the two triangles differ
import numpy as np


def inverse(x: np.ndarray):
    n, k = x.shape
    d = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1, n):
            d[i, j] = 1 / np.sqrt(np.sum((x[i] - x[j]) ** 2))
            d[j, i] = d[i, j]
    return d


def into_what_is_given(x: np.ndarray, d: np.ndarray):
    n, k = x.shape
    for i in range(n):
        for j in range(i + 1, n):
            d[i, j] = np.sqrt(np.sum((x[i] - x[j]) ** 2))
            d[j, i] = d[i, j]
    return d


def one_sided(x: np.ndarray):
    n, k = x.shape
    d = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1, n):
            d[i, j] = np.linalg.norm(x[i] - 2 * x[j])
            d[j, i] = d[i, j]
    return d


def cases(rng):
    for n in (4, 1):
        x = rng.normal(size=(n, 3))
        yield "inverse", (x,), {}
        yield "into_what_is_given", (x, rng.normal(size=(n, n))), {}
        yield "one_sided", (x,), {}
