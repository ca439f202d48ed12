# expect: ASC106 safe scope=peak
import numpy as np


def peak(x: np.ndarray):
    best = float("-inf")
    for value in x:
        if float(value) > best:
            best = float(value)
    return best


def cases(rng):
    for n in (0, 1, 9):
        yield "peak", (rng.random(n).astype(np.float32),), {}
    yield "peak", (np.array([3, 1]),), {}
