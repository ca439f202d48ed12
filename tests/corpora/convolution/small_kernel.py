# expect: LOC302 safe scope=blur_kernel
import numpy as np


def blur_kernel(img: np.ndarray, ker: np.ndarray):
    H, W = img.shape
    out = img.copy()
    for i in range(1, H - 1):
        for j in range(1, W - 1):
            s = 0.0
            for p in range(-1, 2):
                for q in range(-1, 2):
                    s += img[i + p, j + q] * ker[p + 1, q + 1]
            out[i, j] = s
    return out


def cases(rng):
    yield "blur_kernel", (rng.random((5, 7)), rng.random((3, 3))), {}
