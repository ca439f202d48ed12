# refuse: SYM603 the sum of row and column is no distance
import numpy as np


def mirrored(signal: np.ndarray, weights: np.ndarray):
    (size,) = weights.shape
    wheel = np.zeros((size, size))
    for row in range(size):
        for column in range(size):
            wheel[row, column] = weights[(row + column) % size] * (1 + row)
    return wheel @ signal


def cases(rng):
    for n in (7, 1):
        yield "mirrored", (rng.random(n), rng.random(n)), {}
