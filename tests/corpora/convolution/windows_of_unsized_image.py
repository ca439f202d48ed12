# expect: LOC303 safe scope=filtered
# expect: LOC303 safe scope=blurred
import numpy as np


def filtered(a, w):
    kh, kw = w.shape
    out = np.zeros((a.shape[0] - kh + 1, a.shape[1] - kw + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = (a[i : i + kh, j : j + kw] * w).sum()
    return out


def blurred(image, kernel):
    height = image.shape[0] - kernel.shape[0] + 1
    width = image.shape[1] - kernel.shape[1] + 1
    out = np.empty((height, width))
    for r in range(height):
        for c in range(width):
            window = image[r : r + kernel.shape[0], c : c + kernel.shape[1]]
            out[r, c] = np.sum(window * kernel)
    return out


def cases(rng):
    for shape in ((7, 5), (3, 3), (2, 9)):
        yield "filtered", (rng.standard_normal(shape), rng.standard_normal((2, 3))), {}
        yield "blurred", (rng.standard_normal(shape), rng.standard_normal((2, 1))), {}
