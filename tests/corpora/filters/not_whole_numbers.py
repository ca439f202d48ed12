# refuse: SEP204 whole numbers are rounded after each pass
import numpy as np
from scipy import ndimage


def f(image: np.ndarray, g: np.ndarray):
    image = (image * 10).astype(np.int64)
    return ndimage.convolve(image, np.outer(g, g))


def cases(rng):
    for shape, k in (((9, 8), 3), ((1, 1), 2), ((6, 13), 7)):
        yield "f", (rng.normal(size=shape), rng.normal(size=k)), {}
