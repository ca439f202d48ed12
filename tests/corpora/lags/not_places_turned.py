# refuse: the grid counts the other way, from another place, or in steps
import numpy as np


def turned(h: np.ndarray, x: np.ndarray):
    (n,) = x.shape
    (n,) = h.shape
    j, i = np.indices((n, n))
    return np.where(i > j, h[np.abs(i - j) - 1], 0.0) @ x


def from_one(h: np.ndarray, x: np.ndarray):
    (n,) = x.shape
    (n,) = h.shape
    i, j = np.mgrid[1 : n + 1, :n]
    return np.where(i > j, h[np.abs(i - j) - 1] * (i - j), 0.0) @ x


def in_steps(h: np.ndarray, x: np.ndarray):
    (n,) = x.shape
    i, j = np.ogrid[: 2 * n : 2, :n]
    return h[i - j] @ x


def cases(rng):
    for n in (1, 2, 9):
        yield "turned", (rng.normal(size=n), rng.normal(size=n)), {}
        yield "from_one", (rng.normal(size=n), rng.normal(size=n)), {}
        yield "in_steps", (rng.normal(size=2 * n), rng.normal(size=n)), {}
