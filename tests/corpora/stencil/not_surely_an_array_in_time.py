# refuse: LOC302 the first step may be given a list, which has no sum of slices
import numpy as np


def summed(u, steps):
    n = u.shape[0] if hasattr(u, "shape") else len(u)
    for _ in range(steps):
        new = np.zeros(n)
        for i in range(1, n - 1):
            new[i] = u[i - 1] + u[i + 1]
        u = new
    return u


def cases(rng):
    yield "summed", ([1.0, 2.0, 3.0, 4.0], 2), {}
    yield "summed", (rng.random(5), 2), {}
