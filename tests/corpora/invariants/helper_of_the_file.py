# expect: RED501 safe scope=smooth

import numpy as np


def kernel(width: np.ndarray):
    weights = np.exp(-(width**2))
    return weights / weights.sum()


def smooth(x: np.ndarray, width: np.ndarray):
    assert x.shape == width.shape
    for _ in range(3):
        x = np.sin(x) + kernel(width)
    return x


def cases(rng):
    yield "smooth", (rng.normal(size=5), rng.normal(size=5)), {}
    yield "smooth", (rng.normal(size=1), rng.normal(size=1)), {}
