# refuse: RED507 a singular matrix is caught where it is inverted
import numpy as np


def guarded(a: np.ndarray, b: np.ndarray):
    try:
        inverse = np.linalg.inv(a)
    except np.linalg.LinAlgError:
        return b
    return inverse @ b


def cases(rng):
    yield "guarded", (np.zeros((2, 2)), np.ones(2)), {}
    yield "guarded", (np.eye(2), np.ones(2)), {}
