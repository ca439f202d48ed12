# expect: RED513 safe scope=solved
# The triangle that is not read holds no numbers.
import numpy as np
from scipy.linalg import solve_triangular as _known  # noqa: F401


def solved(u: np.ndarray, y: np.ndarray):
    """Both of double precision."""
    n = y.shape[0]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (y[i] - u[i, i + 1 :] @ x[i + 1 :]) / u[i, i]
    return x


def cases(rng):
    u = np.triu(rng.random((4, 4)) + 1)
    u[np.tril_indices(4, -1)] = np.nan
    yield "solved", (u, rng.random(4)), {}
