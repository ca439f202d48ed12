# expect: SEP204 safe scope=open_grid
# expect: SEP204 safe scope=whole_grid
# expect: SEP204 safe scope=counted
# may: ASC107 safe scope=open_grid
import numpy as np
from scipy import ndimage, signal


def open_grid(image: np.ndarray, width: float):
    y, x = np.ogrid[-3:4, -3:4]
    kernel = np.exp(-(x * x + y * y) / (2 * width * width))
    kernel /= kernel.sum()
    return ndimage.correlate(image.astype(float), kernel, mode="nearest")


def whole_grid(image: np.ndarray, width: float):
    image = image.astype(np.float64)
    y, x = np.mgrid[-4:5, -3:4]
    kernel = np.exp(-(x**2 + y**2) / (2 * width**2))
    return ndimage.convolve(image, kernel)


def counted(image: np.ndarray, width: float):
    image = image.astype(np.float64)
    i, j = np.indices((7, 9))
    kernel = np.exp(-((i - 3) ** 2 + (j - 4) ** 2) / width)
    return signal.convolve2d(image, kernel)


def cases(rng):
    for n, m in ((20, 17), (16, 31)):
        for name in ("open_grid", "whole_grid", "counted"):
            yield name, (rng.normal(size=(n, m)), 2.5), {}
            yield name, (rng.integers(0, 9, size=(n, 2 * m))[:, ::2], 0.7), {}
