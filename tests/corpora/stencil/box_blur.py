# expect: LOC302 safe scope=blur
import numpy as np


def blur(img):
    h, w = img.shape
    out = np.zeros((h, w))
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            s = 0.0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    s += img[i + di, j + dj]
            out[i, j] = s / 9
    return out


def cases(rng):
    yield "blur", (rng.random((5, 7)),), {}
    yield "blur", (rng.random((3, 1)),), {}
