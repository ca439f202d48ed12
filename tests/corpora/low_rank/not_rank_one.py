# refuse: SEP202 many rows, a matrix that is used elsewhere, or an update element by element
import numpy as np


def used(w: np.ndarray, u: np.ndarray, v: np.ndarray, x: np.ndarray):
    rows, columns = w.shape
    (columns,) = x.shape
    merged = w + np.outer(u, v)
    return merged @ x, merged.sum()


def element_by_element(w: np.ndarray, u: np.ndarray, v: np.ndarray, x: np.ndarray):
    rows, columns = w.shape
    (columns,) = x.shape
    return (w * np.outer(u, v)) @ x


def same_side(w: np.ndarray, u: np.ndarray, v: np.ndarray, x: np.ndarray):
    rows, columns = w.shape
    (rows,) = u.shape
    (rows,) = v.shape
    (columns,) = x.shape
    return (w + u[:, None] * v[:, None]) @ x


def cases(rng):
    w, u, v = (rng.standard_normal(s) for s in ((4, 3), 4, 3))
    yield "used", (w, u, v, rng.standard_normal(3)), {}
    yield "element_by_element", (w, u, v, rng.standard_normal(3)), {}
    yield "same_side", (w, u, rng.standard_normal(4), rng.standard_normal(3)), {}
