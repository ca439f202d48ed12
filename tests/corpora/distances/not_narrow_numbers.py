# refuse: SEP205 roots and products of narrow whole numbers, which are added up in their own type
import numpy as np


def products(x: np.ndarray, y: np.ndarray):
    x, y = x.astype(np.uint8), y.astype(np.uint8)
    (n, _), (m, _) = x.shape, y.shape
    d = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            apart = x[i] - y[j]
            d[i, j] = apart @ apart
    return d


def roots(x: np.ndarray, y: np.ndarray):
    x, y = x.astype(np.uint8), y.astype(np.uint8)
    (n, _), (m, _) = x.shape, y.shape
    d = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            d[i, j] = np.sqrt(((x[i] - y[j]) ** 2).sum())
    return d


def cases(rng):
    for name in ("products", "roots"):
        x, y = (rng.uniform(0, 250, size=(n, 3)) for n in (5, 4))
        yield name, (x, y), {}
