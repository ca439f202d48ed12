# refuse: LOC302 the steps read what others have written, wrap around, or walk what may change
# refuse: LOC303 the steps read what others have written, wrap around, or walk what may change

import numpy as np

MOVES = [(0, 1), (1, 0)]


def moved(more: tuple[int, int]):
    MOVES.append(more)


def by_what_may_change(u: np.ndarray):
    h, w = u.shape
    out = np.zeros((h, w))
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            total = 0.0
            for a, b in MOVES:
                total += u[i + a, j + b]
            out[i, j] = total
    return out


def longer(u: np.ndarray, more: bool):
    offsets = [(0, 1), (1, 0)]
    if more:
        offsets += [(0, -1)]
    h, w = u.shape
    out = np.zeros((h, w))
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            total = 0.0
            for a, b in offsets:
                total += u[i + a, j + b]
            out[i, j] = total
    return out


def wraps(x: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    for i in range(0, n - 1):
        s = 0.0
        for d in (-1, 1):
            s += x[i + d]
        out[i] = s
    return out


def in_place(u: np.ndarray):
    h, w = u.shape
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            total = 0.0
            for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                total += u[i + a, j + b]
            u[i, j] = total / 4
    return u


def the_last(x: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    d = 0
    for i in range(1, n - 1):
        s = 0.0
        for d in (-1, 1):
            s += x[i + d]
        out[i] = s
    return out, d


def cases(rng):
    yield "by_what_may_change", (rng.random((4, 5)),), {}
    yield "longer", (rng.random((4, 5)), True), {}
    yield "wraps", (rng.random(5),), {}
    yield "in_place", (rng.random((4, 5)),), {}
    yield "the_last", (rng.random(5),), {}
