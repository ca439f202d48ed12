# refuse: ASC106 the cells are whole numbers, or one is read as it changes
"""Sums for each cell whose every step may cut what it adds, or reads another cell's."""

from __future__ import annotations

import numpy as np


def cut(x: np.ndarray):
    n, m = x.shape
    out = np.zeros(m, dtype=int)
    for j in range(m):
        for i in range(n):
            out[j] += x[i, j]
    return out


def given(x: np.ndarray, out: np.ndarray):
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            out[i] += x[i, j]
    return out


def own(x: np.ndarray):
    n = len(x)
    for j in range(n):
        for i in range(n):
            x[0, j] += x[i, j]
    return x


def carried(x: np.ndarray):
    n, m = x.shape
    out = np.zeros(m)
    for j in range(1, m):
        for i in range(n):
            out[j] += out[j - 1] + x[i, j]
    return out


def largest(x: np.ndarray):
    n, m = x.shape
    out = np.zeros(m)
    for j in range(m):
        for i in range(n):
            out[j] = max(out[j], x[i, j] - out[j])
    return out


def cases(rng):
    x = 3 * rng.standard_normal((4, 4))
    for name in ("cut", "own", "carried", "largest"):
        yield name, (x.copy(),), {}
    yield "given", (x, np.arange(4)), {}
