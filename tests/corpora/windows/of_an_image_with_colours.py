# expect: LOC308 safe scope=opened
import numpy as np


def opened(img, k):
    h, w, c = img.shape
    win = np.lib.stride_tricks.sliding_window_view(img, (k, k), axis=(0, 1))
    return win.min(axis=(3, 4))


def cases(rng):
    yield "opened", (rng.standard_normal((9, 8, 3)), 3), {}
    yield "opened", (rng.integers(0, 255, (9, 8, 3)).astype(np.uint8), 2), {}
