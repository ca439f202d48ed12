# refuse: SPA401 the rows of each class are added up, and none is looked up
import numpy as np


def class_sums(labels, x, classes: int):
    hot = np.eye(classes)[labels]
    return np.dot(hot.T, x)


def confusion(predicted, true, n: int):
    p = np.eye(n)[predicted]
    t = np.eye(n)[true]
    return t.T @ p


def turned_rows(states, table):
    n, _ = table.shape
    return np.eye(n)[states].T @ table


def cases(rng):
    yield "turned_rows", (np.array([1, 2, 0]), rng.random((3, 3))), {}
    yield "class_sums", (rng.integers(0, 3, 5), rng.random((5, 2)), 3), {}
    yield "confusion", (rng.integers(0, 4, 6), rng.integers(0, 4, 6), 4), {}
