# expect: LOC302 safe scope=pool
import numpy as np


def pool(img):
    h, w = img.shape
    out = np.zeros((h // 2, w // 2), dtype=img.dtype)
    for i in range(h // 2):
        for j in range(w // 2):
            out[i, j] = max(img[2 * i, 2 * j], img[2 * i + 1, 2 * j], img[2 * i, 2 * j + 1], 0)
    return out


def cases(rng):
    yield "pool", (rng.integers(-50, 50, (6, 8)).astype(np.int8),), {}
    yield "pool", (rng.standard_normal((6, 8)),), {}
    yield "pool", (rng.standard_normal((6, 8)).astype(np.float32),), {}
