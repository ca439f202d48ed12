# expect: LOC301 safe scope=shared
# expect: LOC301 safe scope=deleted
import numpy as np

i = None


def shared(a, b):
    global i
    n, m = a.shape
    p = b.shape[1]
    c = np.zeros((n, p))
    for i in range(n):
        for j in range(p):
            for k in range(m):
                c[i, j] += a[i, k] * b[k, j]
    return c


def deleted(a, b):
    n, m = a.shape
    p = b.shape[1]
    c = np.zeros((n, p))
    for j in range(n):
        for k in range(p):
            for q in range(m):
                c[j, k] += a[j, q] * b[q, k]
    try:
        del j
        had = True
    except NameError:
        had = False
    return c, had


def last(a, b):
    return shared(a, b), i


def cases(rng):
    yield "last", (rng.normal(size=(3, 4)), rng.normal(size=(4, 2))), {}
    yield "deleted", (rng.normal(size=(3, 4)), rng.normal(size=(4, 2))), {}
