# refuse: ASC108 numbers of Python are of double precision, whatever the array is of
import numpy as np


def moments(x: np.ndarray):
    mean, squares, n = 0.0, 0.0, 0
    for v in x:
        n += 1
        d = float(v) - mean
        mean += d / n
        squares += d * (float(v) - mean)
    return mean, squares


def cases(rng):
    yield "moments", (rng.standard_normal(7).astype(np.float16),), {}
