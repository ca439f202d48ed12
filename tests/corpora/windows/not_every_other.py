# refuse: LOC308 most windows are left out
from numpy.lib.stride_tricks import sliding_window_view


def pooled(img, k):
    return sliding_window_view(img, (k, k))[::k, ::k].max(axis=(2, 3))


def cases(rng):
    yield "pooled", (rng.standard_normal((9, 8)), 3), {}
