# refuse: SPA406 the cells hold something before, or the steps read or keep more than their sums
import numpy as np


def kept_mask(x: np.ndarray, y: np.ndarray, k: int):
    s = np.zeros((k, 2))
    for c in range(k):
        m = y == c
        s[c] = x[m].sum(0)
    return s, m


def from_ones(x: np.ndarray, y: np.ndarray, k: int):
    s = np.ones((k, 2))
    for c in range(k):
        if (y == c).any():
            s[c] = x[y == c].sum(0)
    return s


def of_other_labels(x: np.ndarray, y: np.ndarray, z: np.ndarray, k: int):
    s = np.zeros((k, 2))
    for c in range(k):
        if (z == c).any():
            s[c] = x[y == c].mean(0)
    return s


def of_itself(y: np.ndarray, k: int):
    s = np.zeros((len(y), 2))
    for c in range(k):
        s[c] = s[y == c].sum(0) + 1
    return s


def cut_off(x: np.ndarray, y: np.ndarray, k: int):
    s = np.zeros((k, 2), dtype=int)
    for c in range(k):
        s[c] = x[y == c].sum(0)
    return s


def largest(x: np.ndarray, y: np.ndarray, k: int):
    s = np.zeros((k, 2))
    for c in range(k):
        s[c] = x[y == c].sum(0) / x[y == c].max()
    return s


def cases(rng):
    x, y = rng.normal(size=(5, 2)), np.array([0, 2, 1, 1, 0])
    for name in ("kept_mask", "from_ones", "cut_off", "largest"):
        yield name, (x, y, 3), {}
    yield "of_other_labels", (x, y, y[::-1], 3), {}
    yield "of_itself", (y, 3), {}
