# expect: SEP204 safe scope=f
# may: ASC107 safe scope=f
import numpy as np
from scipy import ndimage


def f(image: np.ndarray, width: float):
    image = image.astype(np.float64)
    x = np.linspace(-2.0, 2.0, 9)
    kernel = np.exp(-(np.add.outer(x**2, x**2)) / (2.0 * width * width))
    kernel /= kernel.sum()
    return ndimage.convolve(image, kernel, mode="reflect")


def cases(rng):
    for n, m in ((20, 17), (16, 31)):
        yield "f", (rng.normal(size=(n, m)), 2.5), {}
    yield "f", (rng.normal(size=(25, 40))[:, ::2], 0.7), {}
