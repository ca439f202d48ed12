# refuse: RED501 the first step may leave before it comes to a term that may raise

import numpy as np


def solve(a: np.ndarray, b: np.ndarray, x: np.ndarray):
    for _ in range(10):
        r = b - a @ x
        if np.abs(r).max() < 1e-3:
            break
        x = x + np.linalg.pinv(a) @ r * 0.9
    return x


def cases(rng):
    a = np.eye(3) + 0.1 * rng.normal(size=(3, 3))
    yield "solve", (a, rng.normal(size=3), np.zeros(3)), {}
