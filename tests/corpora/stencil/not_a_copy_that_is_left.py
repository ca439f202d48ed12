# refuse: from the second step of time on both names are one array
import numpy as np


def advected(cells: int, steps: int, speed: float):
    h = np.ones(cells)
    h[2:4] = 2.0
    before = h.copy()
    for _ in range(steps):
        for j in range(1, cells):
            h[j] = before[j] - speed * before[j] * (before[j] - before[j - 1])
        before = h
    return h


def cases(rng):
    yield "advected", (9, 3, 0.1), {}
    yield "advected", (1, 3, 0.1), {}
