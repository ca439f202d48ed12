# expect: SYM604 safe scope=unbiased
# expect: SYM604 safe scope=relative
# expect: SYM604 safe scope=by_cells
# expect: SYM604 safe scope=means
# may: RED501 safe scope=relative
"""Correlations that are divided by how many products they have, or by the first of them."""

import numpy as np


def unbiased(x: np.ndarray):
    (n,) = x.shape
    r = np.zeros(n)
    for lag in range(n):
        r[lag] = np.sum(x[: n - lag] * x[lag:]) / (n - lag)
    return r


def relative(x: np.ndarray):
    (n,) = x.shape
    centred = x - x.mean()
    variance = np.sum(centred * centred)
    r = np.zeros(n)
    for lag in range(n):
        r[lag] = centred[: n - lag] @ centred[lag:] / variance
    return r


def by_cells(x: np.ndarray):
    (n,) = x.shape
    r = np.zeros(n)
    for lag in range(n):
        for i in range(n - lag):
            r[lag] += x[i] * x[i + lag]
        r[lag] /= n - lag
    return r


def means(x: np.ndarray):
    (n,) = x.shape
    r = np.zeros(n)
    for lag in range(n):
        r[lag] = np.mean(x[: n - lag] * x[lag:])
    return r


def cases(rng):
    for n in (1, 2, 7, 30):
        for name in ("unbiased", "relative", "by_cells", "means"):
            if n > 1 or name != "relative":
                yield name, (rng.normal(size=n),), {}
