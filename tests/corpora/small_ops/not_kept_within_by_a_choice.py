# refuse: LOC306 only the condition keeps the last step from writing beyond the end
import numpy as np


def shifted(x: np.ndarray):
    (n,) = x.shape
    out = np.zeros_like(x)
    for i in range(n):
        if x[n - 1 - i] > 0:
            out[i + 1] += 2.0
    return out


def spread(x: np.ndarray):
    (n,) = x.shape
    out = np.zeros(n)
    for i in range(2, n):
        if x[i] > 0:
            out[2 * i] -= x[i]
    return out


def cases(rng):
    yield "shifted", (np.array([-1.0, 2.0, 3.0]),), {}
    yield "spread", (np.array([1.0, 2.0, -3.0, -1.0, -1.0]),), {}
