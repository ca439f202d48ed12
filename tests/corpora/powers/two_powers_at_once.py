# expect: ASC114 safe scope=both
import numpy as np


def both(a: np.ndarray, b: np.ndarray, n: int):
    size, _ = a.shape
    first = np.eye(size)
    second = b.copy()
    for _ in range(n):
        first = a @ first
        second = second @ b
    return first - second


def cases(rng):
    for size, n in ((2, 1), (3, 6), (4, 0)):
        yield "both", (rng.random((size, size)) / size, rng.random((size, size)) / size, n), {}
