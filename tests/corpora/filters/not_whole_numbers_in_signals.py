# refuse: SEP204 of whole numbers each pass would make others
import numpy as np
from scipy.signal import convolve2d


def blurred(image: np.ndarray, column: np.ndarray):
    (n,) = column.shape
    weights = np.outer(column, column).astype(np.int64)
    return convolve2d(image, weights, mode="same", boundary="symm")


def cases(rng):
    yield "blurred", (rng.integers(0, 255, (9, 8)), np.array([1, 2, 1])), {}
