# expect: SEP204 unsafe scope=f
import numpy as np
from scipy.ndimage import convolve


def f(image: np.ndarray, g: np.ndarray):
    (size,) = g.shape
    g = g / np.abs(g).sum()
    return convolve(image, g[:, None] * g[None, :]) - image


def cases(rng):
    for shape, k in (((9, 8), 3), ((1, 1), 2), ((6, 13), 7)):
        yield "f", (rng.normal(size=shape), rng.normal(size=k)), {}
