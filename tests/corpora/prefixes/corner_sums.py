# expect: ASC105 safe scope=integral_image
import numpy as np


def integral_image(a: np.ndarray):
    h, w = a.shape
    S = np.zeros((h + 1, w + 1))
    for i in range(1, h + 1):
        for j in range(1, w + 1):
            S[i, j] = a[i - 1, j - 1] + S[i - 1, j] + S[i, j - 1] - S[i - 1, j - 1]
    return S


def cases(rng):
    yield "integral_image", (rng.standard_normal((5, 6)),), {}
    yield "integral_image", (rng.integers(0, 255, (4, 3)).astype(np.uint8),), {}
    yield "integral_image", (rng.standard_normal((1, 1)).astype(np.float32),), {}
    yield "integral_image", (np.zeros((0, 4)),), {}
    yield "integral_image", (np.zeros((4, 0)),), {}
    yield "integral_image", (rng.standard_normal((6, 8))[::2, ::-1],), {}
