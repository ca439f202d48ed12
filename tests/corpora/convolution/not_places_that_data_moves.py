# refuse: a place that was bound moves on by what the step reads
# refuse: the last place is read later
"""Names of places that are more than what a subscript says."""

import numpy as np


def pushed(x: np.ndarray, stride: int):
    out = np.zeros(4)
    for i in range(4):
        k = i * stride
        if x[k] > 0:
            k = k + 1
        out[i] = x[k]
    return out


def along(x: np.ndarray, stride: int):
    out = np.zeros(4)
    for i in range(4):
        k = i * stride
        for j in range(3):
            k += j
            out[i] += x[k]
    return out


def last(x: np.ndarray, stride: int):
    out = np.zeros(4)
    for i in range(4):
        k = i * stride
        out[i] = x[k]
    return out, k


def cases(rng):
    for scope in ("pushed", "along", "last"):
        yield scope, (rng.normal(size=40), 2), {}
