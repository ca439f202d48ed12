# refuse: the condition reads a cell that an earlier step wrote
import numpy as np


def f(x: np.ndarray):
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            if x[i, 0] > 0:
                x[i, j] = 0
    return x


def cases(rng):
    yield "f", (rng.standard_normal((4, 3)),), {}
