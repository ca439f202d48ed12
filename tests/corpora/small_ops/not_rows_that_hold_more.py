# refuse: the row has another length than names
import numpy as np


def f(pts: np.ndarray):
    n = len(pts)
    pts = pts.reshape(n, 3)
    out = np.zeros(n)
    for i in range(n):
        try:
            x, y = pts[i]
        except ValueError:
            x, y = 1.0, 2.0
        out[i] = x * y
    return out


def cases(rng):
    yield "f", (rng.random((4, 3)),), {}
