# expect: SYM603 unsafe scope=turned
# expect: LOC306 safe scope=turned
import numpy as np


def turned(signal: np.ndarray, weights: np.ndarray):
    """Loops fill the matrix; nothing says how many axes the signal has."""
    (size,) = weights.shape
    wheel = np.zeros((size, size))
    for row in range(size):
        for column in range(size):
            wheel[row, column] = weights[(row - column) % size]
    return wheel @ signal


def cases(rng):
    for n in (7, 1):
        yield "turned", (rng.random(n), rng.random(n)), {}
