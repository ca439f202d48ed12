# expect: SYM604 unsafe scope=lower
# expect: SYM604 unsafe scope=both_sides
import numpy as np


def lower(h, x):
    n = len(x)
    matrix = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            matrix[i, j] = h[i - j]
    return matrix @ x


def both_sides(x, t):
    (n,) = x.shape
    i = np.arange(n)
    matrix = t[i[:, None] - i[None, :] + n - 1]
    return matrix @ x


def cases(rng):
    yield "lower", (rng.standard_normal(7), rng.standard_normal(7)), {}
    yield "lower", (rng.standard_normal(9), rng.standard_normal(5)), {}
    yield "lower", (rng.standard_normal(1), rng.standard_normal(1)), {}
    yield "both_sides", (rng.standard_normal(5), rng.standard_normal(9)), {}
    yield "both_sides", (rng.standard_normal(1), rng.standard_normal(1)), {}
