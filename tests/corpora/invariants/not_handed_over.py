# refuse: RED501 between two steps the caller may change the matrix

import numpy as np


def states(a: np.ndarray, x: np.ndarray):
    for _ in range(3):
        x = np.sin(x) * np.linalg.norm(a)
        yield x


def collected(a, x):
    found = []
    for state in states(a, x):
        found.append(state)
        a += 1
    return found


def cases(rng):
    yield "collected", (rng.normal(size=(2, 2)), rng.normal(size=3)), {}
