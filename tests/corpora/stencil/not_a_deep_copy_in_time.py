# refuse: the copy of a list holds the same rows
import numpy as np


def advected(rows: int, cells: int, steps: int):
    h = [np.linspace(0.0, r, cells) for r in range(rows)]
    for _ in range(steps):
        before = h.copy()
        for r in range(rows):
            for j in range(1, cells):
                h[r][j] = before[r][j] - 0.1 * (before[r][j] - before[r][j - 1])
    return h


def dictionary(cells: int, steps: int):
    h = {"a": np.linspace(0.0, 1.0, cells)}
    for _ in range(steps):
        before = h.copy()
        for j in range(1, cells):
            h["a"][j] = before["a"][j] - 0.1 * (before["a"][j] - before["a"][j - 1])
    return h["a"]


def listed(h: list, steps: int):
    for _ in range(steps):
        before = h.copy()
        for r in range(len(h)):
            for j in range(1, len(h[0])):
                h[r][j] = before[r][j] - 0.1 * (before[r][j] - before[r][j - 1])
    return h


def cases(rng):
    yield "advected", (2, 9, 3), {}
    yield "dictionary", (9, 3), {}
    yield "listed", ([list(rng.random(6)) for _ in range(3)], 2), {}
