# refuse: RED502 every product is counted
import numpy as np


class Counted:
    def __init__(self, rows):
        self.rows, self.calls = rows, 0

    def __matmul__(self, x):
        self.calls += 1
        return self.rows @ x

    def dot(self, x):
        return self @ x


SHARED = Counted(np.eye(3))


def error_of(x: np.ndarray, b: np.ndarray):
    worst = float(np.abs(SHARED @ x - b).max())
    norm = float(np.linalg.norm(SHARED @ x - b))
    return worst, norm, SHARED.calls


def error_of_local(rows: np.ndarray, x: np.ndarray, b: np.ndarray):
    own = Counted(rows)
    worst = float(np.abs(own.dot(x) - b).max())
    return worst, float(np.linalg.norm(own.dot(x) - b)), own.calls


def error_of_given(a: Counted, x: np.ndarray, b: np.ndarray):
    worst = float(np.abs(a @ x - b).max())
    return worst, float(np.linalg.norm(a @ x - b)), a.calls


def cases(rng):
    x, b = rng.normal(size=3), rng.normal(size=3)
    yield "error_of", (x, b), {}
    yield "error_of_local", (rng.normal(size=(3, 3)), x, b), {}
    yield "lambda a, x, b: error_of_given(Counted(a), x, b)", (rng.normal(size=(3, 3)), x, b), {}
