# refuse: ASC104 a bound is a number of Python, beside which single precision becomes double
import numpy as np


def clipped(v, low):
    return max(v, low)


def chart(x: np.ndarray):
    found, high = [], 0.0
    for value in x:
        high = max(0.0, high + value)
        found.append(high)
    return np.array(found)


def by_a_function(x: np.ndarray):
    found, high = [], 0.0
    for value in x:
        high = clipped(high + value, 0.0)
        found.append(high)
    return np.array(found)


def ends_as_a_bound(x: np.ndarray):
    high = 0.0
    for value in x:
        high = max(high + value, 0)
    return high


def cases(rng):
    for dtype in (np.float32, np.float64):
        x = np.array([-1.0, 0.5, 1.0, -3.0], dtype)
        yield "chart", (x,), {}
        yield "by_a_function", (x,), {}
        yield "ends_as_a_bound", (x,), {}
