# may: LOC306 safe scope=shortened
import numpy as np


def shortened(x: np.ndarray, y: np.ndarray):
    k = np.zeros((len(x), len(y)))
    for i in range(len(x)):
        for j in range(len(y)):
            k[i, j] = x[i] * y[j]
        y = y[:-1]
    return k


def cases(rng):
    for n, m in ((2, 5), (3, 3), (1, 1)):
        yield "shortened", (rng.standard_normal(n), rng.standard_normal(m)), {}
