# refuse: complex numbers are ordered by their real parts, and their exponentials otherwise
import numpy as np


def largest(x):
    z = np.array([1j, 2 + 1j, 2 + 3j])
    return np.exp(z * x).max()


def last(x: np.ndarray):
    z = 2 + 1j * x
    return np.sqrt(z).max()


def cases(rng):
    yield "largest", (2.0,), {}
    yield "largest", (-1.0,), {}
    yield "last", (rng.normal(size=5),), {}
    yield "last", (rng.normal(size=1),), {}
