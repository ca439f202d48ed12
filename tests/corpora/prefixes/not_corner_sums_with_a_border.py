# refuse: the first row and column hold something
import numpy as np


def table(a: np.ndarray):
    h, w = a.shape
    S = np.zeros((h + 1, w + 1))
    S[0, 1:] = a[0]
    for i in range(1, h + 1):
        for j in range(1, w + 1):
            S[i, j] = a[i - 1, j - 1] + S[i - 1, j] + S[i, j - 1] - S[i - 1, j - 1]
    return S


def cases(rng):
    yield "table", (rng.standard_normal((4, 3)),), {}
