# refuse: RED507 the matrix is written between its inverse and the product
# refuse: ASC107 the scores are written between their exponentials and the quotient
# refuse: RED509 the matrix is written between the product and its trace
# refuse: RED502 the matrix is written between the two products

import numpy as np
import torch


def clear(part):
    part[0] = 0


def counted_down(matrix: np.ndarray, b: np.ndarray):
    rows, columns = b.shape
    inverse = np.linalg.inv(matrix)
    n = 2
    while n:
        matrix[n, 0] += 1
        n -= 1
    return inverse @ b


def by_steps(matrix: np.ndarray, b: np.ndarray):
    rows, columns = b.shape
    inverse = np.linalg.inv(matrix)
    for n in range(2):
        matrix[n, 0] += n
    return inverse @ b


def mapped(matrix: np.ndarray, b: np.ndarray):
    rows, columns = b.shape
    inverse = np.linalg.inv(matrix)
    list(map(clear, [matrix]))
    return inverse @ b


def twice(matrix: np.ndarray, b: np.ndarray):
    rows, columns = b.shape
    before = (np.exp(matrix) @ b).min()
    list(map(clear, [matrix]))
    return before, (np.exp(matrix) @ b).max()


def trace(matrix: np.ndarray):
    rows, columns = matrix.shape
    product = matrix @ matrix
    n = 2
    while n:
        matrix[n, 0] += 1
        n -= 1
    return np.trace(product)


def weights(scores: torch.Tensor):
    rows, columns = scores.shape
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    n = 2
    while n:
        scores[n, 0] += 1
        n -= 1
    return e / e.sum(-1, keepdim=True)


def cases(rng):
    square = rng.normal(size=(3, 3)) + 4 * np.eye(3)
    for name in ("counted_down", "by_steps", "mapped", "twice"):
        yield name, (square.copy(), rng.normal(size=(3, 2))), {}
    yield "trace", (square.copy(),), {}
    yield "weights", (torch.from_numpy(square.copy()),), {}
