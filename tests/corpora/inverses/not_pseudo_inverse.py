# refuse: RED507 a pseudo-inverse solves what has no solution
import numpy as np


def project(a: np.ndarray, b: np.ndarray):
    return np.linalg.pinv(a) @ b


def cases(rng):
    yield "project", (rng.standard_normal((5, 3)), rng.standard_normal(5)), {}
