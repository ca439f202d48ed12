# refuse: the sum of a row goes on in the next
import numpy as np


def table(a: np.ndarray):
    h, w = a.shape
    S = np.zeros((h, w))
    run = 0.0
    for i in range(h):
        for j in range(w):
            run += a[i, j]
            S[i, j] = run + (S[i - 1, j] if i > 0 else 0)
    return S


def cases(rng):
    yield "table", (rng.standard_normal((4, 3)),), {}
