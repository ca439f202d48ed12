# refuse: SEP204 one is added in the middle
import numpy as np
from scipy import ndimage


def f(image: np.ndarray, g: np.ndarray):
    return ndimage.convolve(image, np.outer(g, g) - np.eye(len(g)))


def cases(rng):
    for shape, k in (((9, 8), 3), ((1, 1), 2), ((6, 13), 7)):
        yield "f", (rng.normal(size=shape), rng.normal(size=k)), {}
