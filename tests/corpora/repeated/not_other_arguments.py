# refuse: RED502 the function is given another matrix the second time
import numpy as np


def inverse_of_any(a, least=1e-9):
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    inverted = np.array([1.0 / value if value > least else 0.0 for value in s])
    return vt.T @ np.diag(inverted) @ u.T


def solutions(b: np.ndarray):
    tall = np.array([[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]])
    fitted = inverse_of_any(tall) @ b
    wide = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    return fitted, inverse_of_any(wide) @ b[:2]


def square(a: np.ndarray, c: np.ndarray, b: np.ndarray):
    return inverse_of_any(a) @ b, inverse_of_any(c) @ b


def cases(rng):
    yield "solutions", (rng.normal(size=3),), {}
    yield "square", (rng.normal(size=(3, 3)), rng.normal(size=(3, 3)), rng.normal(size=3)), {}
