# refuse: SYM603 NumPy convolves one row
import numpy as np
from scipy.linalg import circulant


def f(x: np.ndarray, c: np.ndarray):
    assert x.ndim == 2
    return circulant(c) @ x


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=(n, 3)), rng.normal(size=n)), {}
