# refuse: LOC305 the function notes that it is called
import numpy as np

LOG = []


def dist(a, b):
    LOG.append(1)
    return np.abs(a - b).sum()


def f(x, m, G=1.0, eps=0.1):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(i + 1, x.shape[0]):
            total += dist(x[i], x[j])
    return total, len(LOG)


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
