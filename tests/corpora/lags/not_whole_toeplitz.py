# refuse: SYM604 integers are summed exactly
import numpy as np
from scipy.linalg import toeplitz


def f(x: np.ndarray, n: int):
    assert x.ndim == 1
    return toeplitz(np.arange(n)) @ x


def cases(rng):
    for n in (1, 2, 7):
        yield "f", (rng.integers(0, 9, size=n), n), {}
