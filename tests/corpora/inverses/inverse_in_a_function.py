# expect: RED507 safe scope=posterior
import numpy as np


def inverted(matrix):
    return np.linalg.inv(matrix)


def posterior(kernel: np.ndarray, cross: np.ndarray, targets: np.ndarray, noise: float):
    n, _ = kernel.shape
    (n,) = targets.shape
    weights = inverted(kernel + noise * np.eye(n)) @ targets
    return cross @ weights


def cases(rng):
    x = rng.standard_normal((5, 2))
    yield "posterior", (x @ x.T, rng.standard_normal((3, 5)), rng.standard_normal(5), 0.5), {}
    yield "posterior", (np.ones((1, 1)), np.ones((1, 1)), np.ones(1), 1.0), {}
