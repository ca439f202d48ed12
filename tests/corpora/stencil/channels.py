# expect: LOC302 safe scope=channels
import numpy as np


def channels(img):
    h, w, c = img.shape
    out = np.zeros((h, w, c))
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            for k in range(c):
                out[i, j, k] = (img[i - 1, j, k] + img[i + 1, j, k]) * 0.5
    return out


def cases(rng):
    yield "channels", (rng.random((5, 6, 3)),), {}
