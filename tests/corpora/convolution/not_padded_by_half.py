# refuse: the last windows reach beyond the padding for odd sizes
"""Windows of one more than the padding has room for."""

import numpy as np


def filtered(image, k):
    h, w = image.shape
    padded = np.pad(image, k // 2, mode="edge")
    out = np.zeros((h, w))
    for y in range(h):
        for x in range(w):
            out[y, x] = padded[y : y + k + 1, x : x + k + 1].sum()
    return out


def cases(rng):
    for k in (2, 3, 4):
        yield "filtered", (rng.normal(size=(5, 6)), k), {}
