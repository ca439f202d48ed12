# refuse: LOC302 the rows that are given may be lists, of which the first step makes an array
import numpy as np


def diffused(u, alpha, steps, n, m):
    for _ in range(steps):
        new = u.copy()
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                new[i][j] = u[i][j] + alpha * (u[i + 1][j] + u[i - 1][j] - 2 * u[i][j])
        u = np.array(new)
    return u.shape


def cases(rng):
    yield "diffused", ([[1.0, 2.0, 3.0]] * 4, 0.1, 2, 4, 3), {}
