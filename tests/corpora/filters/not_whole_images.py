# may: SEP204 unsafe scope=f
# Images are mostly of whole numbers, which are rounded after each pass.
import numpy as np
from scipy import ndimage


def f(image: np.ndarray, g: np.ndarray):
    return ndimage.convolve(image, np.outer(g, g), mode="wrap")


def cases(rng):
    yield "f", (rng.integers(0, 255, (9, 8)).astype(np.uint8), rng.random(5)), {}
    yield "f", (rng.random((9, 8)), rng.random(7)), {}
