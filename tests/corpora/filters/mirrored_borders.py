# expect: SEP204 safe scope=blur
# may: ASC107 safe scope=blur
import numpy as np
from scipy.signal import convolve2d


def blur(img, sigma):
    r = int(3 * sigma)
    ax = np.arange(-r, r + 1)
    xx, yy = np.meshgrid(ax, ax)
    kernel = np.exp(-(xx**2 + yy**2) / (2.0 * sigma**2))
    kernel /= kernel.sum()
    return convolve2d(img, kernel, mode="same", boundary="symm")


def cases(rng):
    yield "blur", (rng.standard_normal((18, 19)), 1.5), {}
