# expect: LOC302 safe scope=gradient
import numpy as np


def gradient(f, h):
    n = f.shape[0]
    g = np.empty(n)
    for i in range(1, n - 1):
        g[i] = (f[i + 1] - f[i - 1]) / (2 * h)
    if n > 1:
        g[0] = (f[1] - f[0]) / h
        g[n - 1] = (f[n - 1] - f[n - 2]) / h
    return g[1:-1]


def cases(rng):
    yield "gradient", (rng.random(9), 0.5), {}
