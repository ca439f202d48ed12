# expect: LOC301 safe scope=product
# expect: ASC105 safe scope=running
# expect: ASC105 safe scope=counted
import numpy as np
from numpy import arange as places


def product(a: np.ndarray, b: np.ndarray):
    n, k = a.shape
    m = b.shape[1]
    c = np.zeros((n, m))
    for i in np.arange(n):
        for j in np.arange(m):
            for p in np.arange(k):
                c[i, j] += a[i, p] * b[p, j]
    return c


def running(x: np.ndarray):
    y = np.zeros_like(x)
    for i in np.arange(1, len(x)):
        y[i] = y[i - 1] + x[i]
    return y


def counted(x: np.ndarray):
    y = np.zeros_like(x)
    for i in places(1, len(x)):
        y[i] = y[i - 1] + x[i]
    return y


def cases(rng):
    yield "product", (rng.random((3, 4)), rng.random((4, 2))), {}
    yield "product", (rng.random((1, 0)), rng.random((0, 2))), {}
    for n in (0, 1, 5):
        yield "running", (rng.random(n),), {}
        yield "counted", (rng.random(n),), {}
