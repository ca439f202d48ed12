# refuse: an element before the first is the last
import numpy as np


def around(x: np.ndarray):
    found = []
    for shift in range(-2, 3):
        total = 0.0
        for i in range(len(x) - 2):
            total += x[i] * x[i + shift]
        found.append(total)
    return found


def shifted(x: np.ndarray, by: int):
    total = 0.0
    for i in range(len(x) - 3):
        total += x[i] * x[i + by]
    return total


def cases(rng):
    x = rng.standard_normal(9)
    yield "around", (x,), {}
    yield "shifted", (x, -2), {}
    yield "shifted", (x, 3), {}
