# refuse: SPA402 another entry is set
import numpy as np


def coupled(d: np.ndarray, x: np.ndarray):
    (n,) = d.shape
    m = np.diag(d)
    m[0, n - 1] = 1.0
    return m @ x


def cases(rng):
    yield "coupled", (rng.standard_normal(3), rng.standard_normal((3, 2))), {}
