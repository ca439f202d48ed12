# expect: LOC302 safe scope=blur_slice
import numpy as np


def blur_slice(img):
    h, w = img.shape
    out = np.zeros((h, w))
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            out[i, j] = img[i - 1 : i + 2, j - 1 : j + 2].sum() / 9
    return out


def cases(rng):
    yield "blur_slice", (rng.random((5, 7)),), {}
    yield "blur_slice", (rng.random((3, 1)),), {}
