# refuse: a step reads around the border what another one wrote
# refuse: several steps write one place, of which the last one stays
# refuse: what a step computes outgrows the integers of an array
# refuse: a step divides by zero, which an array does not
"""Computed places that are no places of arrays that only lie there."""

import numpy as np


def relaxed(u: np.ndarray):
    n = u.shape[0]
    for i in range(n):
        u[i] = 0.5 * (u[(i - 1) % n] + u[(i + 1) % n])
    return u


def pushed(x: np.ndarray, size: int):
    ring = np.zeros(size)
    for i in range(x.shape[0]):
        ring[i % size] = x[i]
    return ring


def scattered(x: np.ndarray):
    n = x.shape[0]
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[(i * 6364136223846793005) % n]
    return out


def undefined(x: np.ndarray):
    n = x.shape[0]
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[i % 0]
    return out


def cases(rng):
    yield "relaxed", (rng.normal(size=6),), {}
    yield "pushed", (rng.normal(size=6), 4), {}
    yield "scattered", (rng.normal(size=5),), {}
    yield "undefined", (np.zeros(0),), {}
