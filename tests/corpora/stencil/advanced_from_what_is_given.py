# expect: LOC302 safe scope=diffused
# expect: LOC302 safe scope=smoothed
import numpy as np


def diffused(u, alpha, steps):
    """What is given has a shape before the first step binds its name again."""
    n, m = u.shape
    for _ in range(steps):
        new = u.copy()
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                around = u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1]
                new[i, j] = u[i, j] + alpha * (around - 4 * u[i, j])
        u = new
    return u


def smoothed(line, steps):
    cells = line.shape[0]
    for _ in range(steps):
        new = np.zeros_like(line)
        for i in range(1, cells - 1):
            new[i] = 0.5 * (line[i - 1] + line[i + 1])
        line = new
    return line


def cases(rng):
    for shape in ((7, 6), (3, 3), (1, 5)):
        yield "diffused", (rng.random(shape), 0.1, 3), {}
        yield "smoothed", (rng.random(shape[0]), 2), {}
