# expect: SPA402 safe scope=filled
# expect: SPA402 safe scope=scaled
import numpy as np


def filled(a: np.ndarray, v: np.ndarray):
    n, m = a.shape
    (m,) = v.shape
    d = np.zeros((m, m), dtype=v.dtype)
    np.fill_diagonal(d, v)
    return a @ d


def scaled(a: np.ndarray, v: np.ndarray):
    n, m = a.shape
    (m,) = v.shape
    return a @ (np.eye(m, dtype=v.dtype) * v)


def cases(rng):
    for dtype in (np.float32, np.float64):
        yield "filled", (rng.random((4, 3)).astype(dtype), rng.random(3).astype(dtype)), {}
        yield "scaled", (rng.random((4, 3)).astype(dtype), rng.random(3).astype(dtype)), {}
    yield "filled", (rng.random((1, 1)).astype(np.float32), rng.random(1)), {}
