# expect: LOC303 safe scope=conv2d
import numpy as np


def conv2d(img, ker):
    H, W = img.shape
    kh, kw = ker.shape
    out = np.zeros((max(H - kh + 1, 0), max(W - kw + 1, 0)))
    for i in range(H - kh + 1):
        for j in range(W - kw + 1):
            for p in range(kh):
                for q in range(kw):
                    out[i, j] += img[i + p, j + q] * ker[p, q]
    return out


def cases(rng):
    yield "conv2d", (rng.random((5, 7)), rng.random((3, 2))), {}
