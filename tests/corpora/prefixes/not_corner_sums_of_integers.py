# refuse: each cell is cut to a whole number
import numpy as np


def table(a: np.ndarray):
    h, w = a.shape
    S = np.zeros((h + 1, w + 1), dtype=int)
    for i in range(1, h + 1):
        for j in range(1, w + 1):
            S[i, j] = a[i - 1, j - 1] + S[i - 1, j] + S[i, j - 1] - S[i - 1, j - 1]
    return S


def cases(rng):
    yield "table", (4 * rng.standard_normal((4, 3)),), {}
