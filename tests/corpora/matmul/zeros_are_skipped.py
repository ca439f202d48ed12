# expect: LOC301 unsafe scope=matrix_vector
# expect: LOC306 safe scope=matrices
# may: LOC301 unsafe scope=matrices
import numpy as np


def matrix_vector(a: np.ndarray, x: np.ndarray):
    n, m = a.shape
    y = np.zeros(n)
    for i in range(n):
        for j in range(m):
            if a[i, j] != 0:
                y[i] += a[i, j] * x[j]
    return y


def matrices(a: np.ndarray, b: np.ndarray):
    n, k = a.shape
    k, m = b.shape
    c = np.zeros((n, m))
    for i in range(n):
        for p in range(k):
            if a[i, p] == 0:
                continue
            for j in range(m):
                c[i, j] += a[i, p] * b[p, j]
    return c


def cases(rng):
    for n, m in ((4, 5), (1, 1), (3, 2)):
        a = np.maximum(rng.normal(size=(n, m)), 0)
        yield "matrix_vector", (a, rng.normal(size=m)), {}
        yield "matrices", (a, rng.normal(size=(m, 3))), {}
