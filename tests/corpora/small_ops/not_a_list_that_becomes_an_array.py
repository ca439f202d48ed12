# refuse: what the loops read is a list, which only then becomes an array
import numpy as np


def doubled(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i] * 2
    x = np.asarray(x)
    return out, x.shape


def squares(xs):
    total = 0.0
    for i in range(len(xs)):
        total += xs[i] ** 2
    xs = np.array(xs)
    return total, xs.mean()


def outer(a, b):
    c = np.zeros((len(a), len(b)))
    for i in range(len(a)):
        for j in range(len(b)):
            c[i, j] = a[i] * b[j]
    a, b = np.array(a), np.array(b)
    return c, a.T, b.T


def cases(rng):
    yield "doubled", ([1.0, 2.5, 3.0],), {}
    yield "squares", ([1.0, 2.5, 3.0],), {}
    yield "outer", ([1.0, 2.5], [2.0]), {}
