# refuse: the entries lie beside the diagonal, or not along all of it
import numpy as np


def beside(x: np.ndarray, v: np.ndarray):
    n, m = x.shape
    (m,) = v.shape
    d = np.zeros((m, m))
    d[range(m), range(m - 1, -1, -1)] = v
    return x @ d


def shorter(x: np.ndarray, v: np.ndarray):
    n, m = x.shape
    (m,) = v.shape
    d = np.zeros((m, m))
    d[range(1, m), range(1, m)] = v[1:]
    return x @ d


def cases(rng):
    for m in (3, 1):
        for name in ("beside", "shorter"):
            yield name, (rng.random((2, m)), rng.random(m)), {}
