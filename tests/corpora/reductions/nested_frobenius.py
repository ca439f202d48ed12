# expect: ASC106 safe scope=frobenius
import numpy as np


def frobenius(matrix: np.ndarray) -> float:
    rows, cols = matrix.shape
    total = 0.0
    for i in range(rows):
        for j in range(cols):
            total += matrix[i, j] ** 2
    return np.sqrt(total)


def cases(rng):
    for shape in ((1, 1), (3, 5), (12, 7)):
        yield "frobenius", (rng.standard_normal(shape),), {}
