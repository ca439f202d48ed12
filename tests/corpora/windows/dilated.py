# expect: LOC308 safe scope=dilate
from numpy.lib.stride_tricks import sliding_window_view


def dilate(img, size=3):
    return sliding_window_view(img, (size, size)).max(axis=(-1, -2))


def cases(rng):
    yield "dilate", (rng.standard_normal((12, 11)),), {}
