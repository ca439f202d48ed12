# expect: LOC302 safe scope=peaks
# expect: LOC302 safe scope=upwind
# expect: LOC302 safe scope=rises
"""Neighbours that are compared."""

import numpy as np


def peaks(x: np.ndarray):
    (n,) = x.shape
    out = np.zeros(n)
    for i in range(1, n - 1):
        if x[i] > x[i - 1] and x[i] > x[i + 1]:
            out[i] = x[i]
    return out


def upwind(u: np.ndarray, a: np.ndarray):
    (n,) = u.shape
    out = u.copy()
    for i in range(1, n - 1):
        if a[i] > 0:
            out[i] = u[i] - a[i] * (u[i] - u[i - 1])
        else:
            out[i] = u[i] - a[i] * (u[i + 1] - u[i])
    return out


def rises(x: np.ndarray):
    y = np.zeros(x.shape[0])
    for i in range(1, x.shape[0]):
        if x[i] > x[i - 1]:
            y[i] = 1
    return y


def cases(rng):
    for n in (0, 1, 2, 3, 9):
        yield "peaks", (rng.standard_normal(n),), {}
        yield "upwind", (rng.standard_normal(n), rng.standard_normal(2 * n)[::2]), {}
        yield "rises", (np.round(rng.standard_normal(n)),), {}
