# expect: ASC114 safe scope=powers
import numpy as np


def powers(matrix: np.ndarray, n: int):
    result = np.eye(matrix.shape[0])
    for _ in range(n):
        result @= matrix
    return result


def cases(rng):
    for size, n in ((2, 1), (3, 12), (4, 0)):
        yield "powers", (rng.random((size, size)) / size, n), {}
