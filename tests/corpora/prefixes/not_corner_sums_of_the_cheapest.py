# refuse: a cell is the cheaper of two
import numpy as np


def paths(a: np.ndarray):
    h, w = a.shape
    S = np.zeros((h + 1, w + 1))
    for i in range(1, h + 1):
        for j in range(1, w + 1):
            S[i, j] = a[i - 1, j - 1] + min(S[i - 1, j], S[i, j - 1])
    return S


def cases(rng):
    yield "paths", (rng.standard_normal((4, 3)),), {}
