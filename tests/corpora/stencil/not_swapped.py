# refuse: after the first step both names are one array
import numpy as np


def swap_noc(u: np.ndarray, iters):
    n, m = u.shape
    new = u.copy()
    for _ in range(iters):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                new[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u = new
    return u


def cases(rng):
    yield "swap_noc", (rng.random((5, 7)), 3), {}
