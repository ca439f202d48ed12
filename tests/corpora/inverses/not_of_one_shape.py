# may: RED507 safe scope=distance
import numpy as np


def distance(x, mean, spread):
    """How far a point is.

    Parameters
    ----------
    x : (N,) array_like, or float
    mean : (N,) array_like, or float
    spread : (N, N) array_like or float
    """
    apart = np.atleast_1d(x) - np.atleast_1d(mean)
    matrix = np.atleast_2d(spread)
    return float(np.dot(np.dot(apart.T, np.linalg.inv(matrix)), apart))


def cases(rng):
    yield "distance", (3.0, 3.5, 16.0), {}
    yield "distance", ([1.0, 2.0], [1.1, 3.0], [[1.0, 0.1], [0.1, 13.0]]), {}
    yield "distance", (rng.normal(size=3), rng.normal(size=3), np.diag([1.0, 2.0, 3.0])), {}
