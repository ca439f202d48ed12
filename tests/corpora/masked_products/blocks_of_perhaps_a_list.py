# expect: SPA404 unsafe scope=f
import numpy as np
from scipy.linalg import block_diag


def f(a: np.ndarray, b: np.ndarray, x):
    """`x` may be a list."""
    m, n = a.shape
    p, q = b.shape
    return block_diag(a, b) @ x


def cases(rng):
    yield "f", (rng.random((2, 3)), rng.random((4, 5)), [1.0] * 8), {}
