# expect: ASC114 safe scope=occupancy
import numpy as np


def occupancy(transition, steps):
    size = len(transition)
    total = np.eye(size)
    for _ in range(steps):
        total = total @ transition
    return total


def cases(rng):
    for size, steps in ((2, 1), (3, 7), (5, 20), (3, 0), (4, -1)):
        matrix = rng.random((size, size))
        yield "occupancy", (matrix / matrix.sum(1, keepdims=True), steps), {}
    yield "occupancy", (rng.integers(0, 2, (4, 4)), 9), {}
