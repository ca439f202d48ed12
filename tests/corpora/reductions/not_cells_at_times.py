# refuse: ASC106 what is added has no type of its own, or may not be computed at every step
# refuse: LOC306 what is added has no type of its own, or may not be computed at every step
import numpy as np
import torch


def by_the_cell(x: np.ndarray):
    h, w = x.shape
    y = np.zeros(h)
    for i in range(h):
        for j in range(w):
            if y[i] < 1:
                y[i] += x[i, j]
    return y


def where_it_divides(x: np.ndarray, z: np.ndarray):
    h, w = x.shape
    y = np.zeros(h)
    for i in range(h):
        for j in range(w):
            if z[i, j] != 0:
                y[i] += x[i, j] / z[i, j]
    return y


def in_single_precision(x: torch.Tensor):
    h, w = x.shape
    y = torch.zeros(h, dtype=torch.float64)
    for i in range(h):
        for j in range(w):
            if x[i, j] > 0:
                y[i] += 0.1
    return y


def of_bytes(h: int, w: int):
    x = np.full((h, w), 200, dtype=np.uint8)
    y = np.zeros(h, dtype=np.uint8)
    for i in range(h):
        for j in range(w):
            if x[i, j] > 3:
                y[i] += x[i, j]
    return y


def beyond(m: np.ndarray, x: np.ndarray):
    """Of the last column none is marked."""
    h, w = m.shape
    y = np.zeros(h)
    x = np.ones((h, w))
    for i in range(h):
        for j in range(w):
            if m[i, j]:
                y[i] += x[i, j + 1]
    return y


def cases(rng):
    x = rng.normal(size=(4, 3))
    yield "by_the_cell", (x,), {}
    yield "where_it_divides", (x, np.array([[1.0, 0.0, 2.0]] * 4)), {}
    yield "in_single_precision", (torch.tensor(x),), {}
    yield "of_bytes", (3, 4), {}
    yield "beyond", (np.array([[1, 0, 0]] * 4), x), {}
