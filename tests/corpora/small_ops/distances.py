# expect: LOC306 safe scope=dist
import numpy as np


def dist(x: np.ndarray, y: np.ndarray):
    d = np.empty((len(x), len(y)))
    for i in range(len(x)):
        for j in range(len(y)):
            d[i, j] = abs(x[i] - y[j])
    return d


def cases(rng):
    yield "dist", (rng.random(5), rng.random(3)), {}
