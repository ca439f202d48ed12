# expect: RED502 safe scope=both

import numpy as np


def inverse_of_any(a, least=1e-9):
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    inverted = np.array([1.0 / value if value > least else 0.0 for value in s])
    return vt.T @ np.diag(inverted) @ u.T


def both(a: np.ndarray, b: np.ndarray, c: np.ndarray):
    return inverse_of_any(a) @ b, inverse_of_any(a) @ c


def cases(rng):
    yield "both", (rng.normal(size=(3, 2)), rng.normal(size=3), rng.normal(size=3)), {}
    yield "both", (rng.normal(size=(1, 1)), rng.normal(size=1), rng.normal(size=1)), {}
