# refuse: the products themselves are returned as well
import numpy as np


def kept(weights: np.ndarray, rates: np.ndarray):
    rows, inner = weights.shape
    inner, columns = rates.shape
    each = np.expand_dims(weights, 2) * np.expand_dims(rates, 0)
    return each, np.sum(each, axis=1)


def cases(rng):
    yield "kept", (rng.random((4, 3)), rng.random((3, 5))), {}
    yield "kept", (rng.random((1, 1)), rng.random((1, 1))), {}
