# refuse: RED507 what the call runs is set by its name elsewhere in the file
import numpy as np


def solved(a: np.ndarray, b: np.ndarray):
    n, _ = a.shape
    m, _ = b.shape
    return np.linalg.inv(a) @ b


def doubled(a, b):
    original = np.linalg.inv
    setattr(np.linalg, "inv", lambda matrix: 2 * original(matrix))
    try:
        return solved(a, b)
    finally:
        np.linalg.inv = original


def cases(rng):
    yield "doubled", (np.eye(3) * 2, np.ones((3, 2))), {}
