# refuse: not a vector put upright, but a column of a matrix and what was summed to one
import numpy as np


def first_column(a: np.ndarray, gains: np.ndarray):
    rows, columns = a.shape
    rows, several = gains.shape
    return (np.eye(rows) * gains[:, :1]) @ a


def summed(a: np.ndarray, gains: np.ndarray):
    rows, columns = a.shape
    rows, several = gains.shape
    return (np.eye(rows) * gains.sum(1, keepdims=True)) @ a


def added(a: np.ndarray, gains: np.ndarray):
    rows, columns = a.shape
    (rows,) = gains.shape
    return (np.eye(rows) + gains[:, None]) @ a


def cases(rng):
    for n, m in ((3, 4), (1, 2)):
        a = rng.normal(size=(n, m))
        yield "first_column", (a, rng.normal(size=(n, 2))), {}
        yield "summed", (a, rng.normal(size=(n, 2))), {}
        yield "added", (a, rng.normal(size=n)), {}
