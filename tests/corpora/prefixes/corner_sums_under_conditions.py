# expect: ASC105 safe scope=accumulated
import numpy as np


def accumulated(img: np.ndarray):
    m, n = img.shape
    acc = np.zeros(img.shape)
    for i in range(m):
        for j in range(n):
            acc[i, j] = img[i, j]
            if i > 0:
                acc[i, j] += acc[i - 1, j]
            if j > 0:
                acc[i, j] += acc[i, j - 1]
            if i > 0 and j > 0:
                acc[i, j] -= acc[i - 1, j - 1]
    return acc


def cases(rng):
    yield "accumulated", (rng.standard_normal((5, 6)),), {}
    yield "accumulated", (rng.integers(0, 9, (1, 3)),), {}
    yield "accumulated", (np.zeros((4, 0)),), {}
