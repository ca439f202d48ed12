# refuse: what each step of time keeps is what it writes
import numpy as np


def advected(cells: int, steps: int, speed: float):
    h = np.ones(cells)
    h[2:4] = 2.0
    for _ in range(steps):
        before = h[:]
        for j in range(1, cells):
            h[j] = before[j] - speed * before[j] * (before[j] - before[j - 1])
    return h


def cases(rng):
    yield "advected", (9, 3, 0.1), {}
    yield "advected", (1, 3, 0.1), {}
