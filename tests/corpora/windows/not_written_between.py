# refuse: LOC308 the array is written after the windows are laid out
from numpy.lib.stride_tricks import sliding_window_view


def peaks(img, k):
    win = sliding_window_view(img, (k, k))
    img[0, 0] = 100.0
    return win.max(axis=(2, 3))


def cases(rng):
    yield "peaks", (rng.standard_normal((9, 8)), 3), {}
