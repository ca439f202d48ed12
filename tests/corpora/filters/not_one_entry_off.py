# refuse: SEP204 a minor is not 0
import numpy as np
from scipy.signal import convolve2d


def f(image: np.ndarray):
    weights = np.array(
        [
            [1.0, 4.0, 6.0, 4.0, 1.0],
            [4.0, 16.0, 24.0, 16.0, 4.0],
            [6.0, 24.0, 36.0, 25.0, 6.0],
            [4.0, 16.0, 24.0, 16.0, 4.0],
            [1.0, 4.0, 6.0, 4.0, 1.0],
        ]
    )
    return convolve2d(image, weights, mode="same")


def cases(rng):
    for shape in ((9, 8), (1, 2), (6, 13)):
        yield "f", (rng.normal(size=shape),), {}
