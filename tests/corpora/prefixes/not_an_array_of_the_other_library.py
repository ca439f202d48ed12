# refuse: ASC105 NumPy makes the array, of what nobody says the kind of
# refuse: ASC101 as much for a recurrence

import numpy as np
import torch


def growth(factors):
    level = factors[0]
    levels = [factors[0]]
    for i in range(1, len(factors)):
        level = level * factors[i]
        levels.append(level)
    return np.array(levels)


def smoothed(values, gains):
    level = values[0]
    levels = []
    for value, gain in zip(values, gains):
        level = gain * level + value
        levels.append(level)
    return np.stack(levels)


def cases(rng):
    for n in (1, 2, 7):
        x, g = rng.standard_normal(n), rng.random(n)
        yield "growth", (x,), {}
        yield "smoothed", (x, g), {}
        yield "growth", (torch.tensor(x),), {}
