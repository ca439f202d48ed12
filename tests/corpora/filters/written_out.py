# expect: SEP204 unsafe scope=f
import numpy as np
from scipy.signal import convolve2d


def f(image: np.ndarray):
    binomial = (
        np.array(
            [
                [1, 4, 6, 4, 1],
                [4, 16, 24, 16, 4],
                [6, 24, 36, 24, 6],
                [4, 16, 24, 16, 4],
                [1, 4, 6, 4, 1],
            ]
        )
        / 256
    )
    return convolve2d(image, binomial, mode="same")


def cases(rng):
    for shape in ((9, 8), (1, 2), (6, 13)):
        yield "f", (rng.normal(size=shape),), {}
