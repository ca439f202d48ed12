# refuse: LOC305 both names are of one array, which is added to twice
import numpy as np


def apart(x, y):
    n = x.shape[0]
    ax = ay = np.zeros(n)
    for i in range(n):
        for j in range(n):
            if j != i:
                dx, dy = x[j] - x[i], y[j] - y[i]
                ax[i] += dx
                ay[i] += dy
    return ax, ay


def cases(rng):
    yield "apart", (rng.normal(size=4), rng.normal(size=4)), {}
