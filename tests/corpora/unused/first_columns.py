# expect: RED509 safe scope=leading
import numpy as np


def leading(x: np.ndarray, basis: np.ndarray, k: int):
    n, d = x.shape
    d, _ = basis.shape
    return (x @ basis)[:, :k]


def cases(rng):
    yield "leading", (rng.standard_normal((5, 3)), rng.standard_normal((3, 4)), 2), {}
    yield "leading", (rng.standard_normal((1, 1)), rng.standard_normal((1, 1)), 1), {}
