# expect: LOC306 safe scope=axpy
import numpy as np


def axpy(y: np.ndarray, x: np.ndarray, a):
    assert y.ndim == 1
    for i in range(x.shape[0]):
        y[i] += a * x[i]
    return y


def cases(rng):
    yield "axpy", (rng.random(5), rng.random(5), 0.5), {}
