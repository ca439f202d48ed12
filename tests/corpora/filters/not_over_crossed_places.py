# refuse: a wave along the diagonal, a stack of both places, and the place along one axis alone
import numpy as np
from scipy import ndimage


def crossed(image: np.ndarray, width: float):
    y, x = np.ogrid[-3:4, -3:4]
    return ndimage.correlate(image.astype(float), np.exp(-(x * y) / width))


def ring(image: np.ndarray, width: float):
    y, x = np.mgrid[-3:4, -3:4]
    return ndimage.correlate(image.astype(float), np.exp(-((x**2 + y**2 - 4) ** 2) / width))


def both(image: np.ndarray, width: float):
    places = np.mgrid[-3:4, -3:4]
    kernel = np.exp(-((places[0] - places[1]) ** 2) / width)
    return ndimage.correlate(image.astype(float), kernel)


def cases(rng):
    for name in ("crossed", "ring", "both"):
        yield name, (rng.normal(size=(12, 17)), 20.0), {}
