# refuse: a row that is told may be one from the end
import numpy as np


def sweep(u: np.ndarray, n: int):
    for i in range(1, u.shape[1] - 1):
        u[n + 1, i] = u[n, i] + 0.1 * (u[n, i + 1] - u[n, i - 1])
    return u


def cases(rng):
    yield "sweep", (rng.standard_normal((1, 7)), -1), {}
