# refuse: RED505 the first row of sorted columns is no minimum of rows
import numpy as np


def first_row(x: np.ndarray):
    rows, columns = x.shape
    return np.sort(x, axis=1)[0]


def cases(rng):
    yield "first_row", (rng.standard_normal((3, 4)),), {}
