# expect: LOC302 safe scope=pool2x2
import numpy as np


def pool2x2(img):
    rows, cols = img.shape
    res = np.zeros((rows // 2, cols // 2))
    for r in range(rows // 2):
        for c in range(cols // 2):
            res[r, c] = max(
                img[2 * r, 2 * c],
                img[2 * r, 2 * c + 1],
                img[2 * r + 1, 2 * c],
                img[2 * r + 1, 2 * c + 1],
            )
    return res


def cases(rng):
    yield "pool2x2", (rng.standard_normal((7, 8)),), {}
