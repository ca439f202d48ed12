# refuse: SEP202 each row is divided by its own number, or the sum is divided
import numpy as np


def rows(h: np.ndarray, s: np.ndarray, y: np.ndarray, d: np.ndarray, g: np.ndarray):
    n, m = h.shape
    (n,) = s.shape
    (m,) = y.shape
    n, one = d.shape
    (m,) = g.shape
    return (h - np.outer(s, y) / d) @ g


def whole(h: np.ndarray, s: np.ndarray, y: np.ndarray, g: np.ndarray):
    n, m = h.shape
    (n,) = s.shape
    (m,) = y.shape
    (m,) = g.shape
    return ((h - np.outer(s, y)) / 4) @ g


def under(h: np.ndarray, s: np.ndarray, y: np.ndarray, g: np.ndarray):
    n, m = h.shape
    (n,) = s.shape
    (m,) = y.shape
    (m,) = g.shape
    return (h - 4 / np.outer(s, y)) @ g


def cases(rng):
    h, s, y, g = (rng.normal(size=shape) for shape in ((5, 4), (5,), (4,), (4,)))
    yield "rows", (h, s, y, rng.normal(size=(5, 1)), g), {}
    yield "whole", (h, s, y, g), {}
    yield "under", (h, s, y, g), {}
