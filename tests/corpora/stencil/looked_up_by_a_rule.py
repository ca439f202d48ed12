# expect: LOC302 safe scope=step
import numpy as np


def step(cells, rule):
    new = np.zeros_like(cells)
    for i in range(1, len(cells) - 1):
        code = 4 * cells[i - 1] + 2 * cells[i] + cells[i + 1]
        new[i] = rule[code]
    return new


def cases(rng):
    rule = np.array([0, 1, 1, 1, 1, 0, 0, 0])
    yield "step", (rng.integers(0, 2, 9), rule), {}
    yield "step", (rng.integers(0, 2, 2), rule), {}
