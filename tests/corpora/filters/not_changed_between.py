# refuse: SEP204 the row is changed after the product
import numpy as np
from scipy import ndimage


def f(image: np.ndarray, g: np.ndarray):
    weights = np.outer(g, g)
    g *= 2
    return ndimage.convolve(image, weights)


def cases(rng):
    for shape, k in (((9, 8), 3), ((1, 1), 2), ((6, 13), 7)):
        yield "f", (rng.normal(size=shape), rng.normal(size=k)), {}
