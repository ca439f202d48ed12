# refuse: the first row reads the last
import numpy as np


def table(a: np.ndarray):
    h, w = a.shape
    S = np.ones((h, w))
    for i in range(h):
        run = 0.0
        for j in range(w):
            run += a[i, j]
            S[i, j] = run + S[i - 1, j]
    return S


def cases(rng):
    yield "table", (rng.standard_normal((4, 3)),), {}
