# expect: LOC308 safe scope=erode
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def erode(mask):
    m = np.pad(mask, 1, constant_values=True)
    return sliding_window_view(m, (3, 3)).all(axis=(2, 3))


def cases(rng):
    yield "erode", (rng.random((9, 8)) > 0.3,), {}
