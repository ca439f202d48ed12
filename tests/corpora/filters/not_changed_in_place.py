# refuse: SEP204 an entry is changed after the product
import numpy as np
from scipy import ndimage


def f(image: np.ndarray, g: np.ndarray):
    weights = np.outer(g, g)
    weights[0, 0] = 0.0
    return ndimage.convolve(image, weights)


def cases(rng):
    for shape, k in (((9, 8), 3), ((1, 1), 2), ((6, 13), 7)):
        yield "f", (rng.normal(size=shape), rng.normal(size=k)), {}
