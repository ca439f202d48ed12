# may: ASC105 safe scope=running
# may: ASC105 safe scope=summed
import numpy as np


def running(x: np.ndarray, window: int):
    s = 0.0
    y = np.zeros(len(x))
    for i in range(len(x) - window):
        s += x[i]
        y[i] = s
    return y


def summed(x: np.ndarray, order: int):
    for i in range(1, order - 1):
        x[i] = x[i] + x[i - 1]
    return x


def cases(rng):
    for size in (1, 2, 5):
        for number in (-1, 0, 1, 2, 3, 7):
            if number < 3:
                yield "summed", (rng.standard_normal(size + 1), number), {}
            if number >= 0:
                yield "running", (rng.standard_normal(size), number), {}
