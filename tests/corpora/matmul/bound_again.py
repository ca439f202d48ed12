# expect: LOC301 any scope=product
# expect: LOC301 any scope=joined
# expect: LOC301 any scope=loaded
import numpy as np


def product(a: np.ndarray, b: np.ndarray):
    n, m = len(a), len(b)
    a = np.concatenate([a, a])
    c = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            c[i, j] = (a[i] * b[j]).sum()
    return c


def joined(a: np.ndarray, b: np.ndarray, more):
    n = a.shape[0]
    m = b.shape[0]
    a = more(a)
    c = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            c[i, j] = (a[i] * b[j]).sum()
    return c


def loaded(load, b: np.ndarray):
    a = load(b)
    n, m = a.shape[0], b.shape[0]
    a = np.concatenate([a, a])
    c = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            c[i, j] = (a[i] * b[j]).sum()
    return c


def cases(rng):
    a, b = rng.standard_normal((5, 3)), rng.standard_normal((4, 3))
    yield "product", (a, b), {}
    yield "joined", (a, b, np.sort), {}
    yield "loaded", (np.sort, b), {}
