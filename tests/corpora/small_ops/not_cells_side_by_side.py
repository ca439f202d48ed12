# refuse: LOC302 two steps meet in one cell, or a step reads what another one has written
# refuse: LOC306 two steps meet in one cell, or a step reads what another one has written
import numpy as np


def overlapping(x: np.ndarray):
    n = len(x)
    out = np.zeros(n + 1)
    for i in range(n):
        out[i] = x[i] * 2
        out[i + 1] = x[i] * 3
    return out


def in_place(x: np.ndarray):
    n, d = x.shape
    for i in range(n):
        x[i, 0] = x[i, 0] * 2 + x[i, 1]
        x[i, 1] = x[i, 0] - x[i, 1]
    return x


def the_last_one(x: np.ndarray):
    """Of one column -1 is the first."""
    n = len(x)
    out = np.zeros((n, 1))
    for i in range(n):
        out[i, 0] = x[i] * 2
        out[i, -1] = x[i] * 3
    return out


def three_apart(x: np.ndarray):
    n = len(x)
    out = np.zeros(3 * n + 2)
    for i in range(n):
        out[3 * i] = x[i] + 1
        out[3 * i + 1] = x[i] + 2
        out[3 * i + 4] = x[i] + 3
    return out


def half_as_far(x: np.ndarray, m: int):
    n = len(x)
    out = np.zeros(n + m)
    for i in range(n):
        out[i] = x[i] + 1
        out[m + i] = x[i] + 2
    return out


def what_came_before(x: np.ndarray):
    n = len(x)
    out = np.zeros((n, 2))
    for i in range(1, n):
        out[i, 0] = out[i - 1, 1] + 1
        out[i, 1] = x[i] * 2
    return out


def at_times(x: np.ndarray):
    n = len(x)
    out = np.zeros((n, 2))
    for i in range(n):
        for j in range(n):
            if i == j:
                out[i, 0] = x[j] * 2
            out[i, 1] = x[i] * 3
    return out


def cases(rng):
    yield "overlapping", (rng.normal(size=4),), {}
    yield "in_place", (rng.normal(size=(4, 2)),), {}
    yield "the_last_one", (rng.normal(size=4),), {}
    yield "three_apart", (rng.normal(size=4),), {}
    yield "half_as_far", (rng.normal(size=4), 2), {}
    yield "what_came_before", (rng.normal(size=4),), {}
    yield "at_times", (rng.normal(size=4),), {}
