# expect: SYM604 safe scope=f
import numpy as np
import scipy.linalg


def f(x: np.ndarray, c: np.ndarray):
    (n,) = x.shape
    covariance = scipy.linalg.toeplitz(c)
    return covariance.dot(x)


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
    yield "f", (rng.normal(size=5), rng.normal(size=5) + 1j * rng.normal(size=5)), {}
    yield "f", (rng.normal(size=5) * 1j, rng.normal(size=5) + 1j * rng.normal(size=5)), {}
