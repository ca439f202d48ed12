# expect: LOC306 safe scope=fliplr
# refuse: LOC302 one array is read backwards
import numpy as np


def fliplr(x: np.ndarray):
    y = np.zeros(x.shape[0])
    n = x.shape[0]
    for i in range(1, n):
        y[i] = x[n - 1 - i] + x[i - 1]
    return y


def cases(rng):
    yield "fliplr", (rng.random(9),), {}
    yield "fliplr", (rng.random(2),), {}
