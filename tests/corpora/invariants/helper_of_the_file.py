# expect: RED501 safe scope=smooth
# expect: RED501 safe scope=boost
# may: ASC101 advice scope=boost

import numpy as np


def kernel(width: np.ndarray):
    weights = np.exp(-(width**2))
    return weights / (1.0 + weights.sum())


def smooth(x: np.ndarray, width: np.ndarray):
    assert x.shape == width.shape
    for _ in range(3):
        x = np.sin(x) + kernel(width)
    return x


def gram(x: np.ndarray, width: float):
    n, d = x.shape
    squares = (x**2).sum(1)
    return np.exp(-width * (squares[:, None] + squares[None, :] - 2 * x @ x.T))


def boost(x, y, width: float, steps: int, rate: float):
    n, d = x.shape
    weights = np.zeros(n)
    for _ in range(steps):
        rest = y - gram(x, width) @ weights
        weights = weights + rate * rest
    return weights


def cases(rng):
    for steps in (0, 1, 4):
        yield "boost", (rng.normal(size=(3, 2)), rng.normal(size=3), 0.5, steps, 0.1), {}
    yield "smooth", (rng.normal(size=5), rng.normal(size=5)), {}
    yield "smooth", (rng.normal(size=1), rng.normal(size=1)), {}
