# refuse: ASC101 ASC104 a name for a cell may be a view of what is written or read elsewhere
import numpy as np


def read_afterwards(x: np.ndarray, a: float, b: float):
    y = np.zeros_like(x)
    y1 = y2 = 0.0
    for n in range(len(x)):
        y[n] = x[n] - a * y1 - b * y2
        y2, y1 = y1, y[n]
    return y, y1


def written_after_it(x: np.ndarray, a: float, b: float):
    y = np.zeros_like(x)
    y1 = y2 = 0.0
    for n in range(len(x)):
        y[n] = x[n] - a * y1 - b * y2
        y2, y1 = y1, y[n]
        y[n] += 1
    return y


def before_the_loop(x: np.ndarray, a: float):
    y = np.ones_like(x)
    y1 = y[0]
    for n in range(len(x)):
        y[n] = x[n] - a * y1
        y1 = y[n]
    return y


def cases(rng):
    for shape in ((1,), (5,), (4, 2)):
        x = rng.normal(size=shape)
        yield "read_afterwards", (x, 0.5, 0.25), {}
        yield "written_after_it", (x, 0.5, 0.25), {}
        yield "before_the_loop", (x, 0.5), {}
