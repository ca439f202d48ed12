# refuse: SPA407 the matrix is full, is a vector, or is not multiplied
from itertools import product

import numpy as np
import torch


def hilbert(n, x):
    matrix = np.zeros((n, n))
    for i, j in product(range(n), range(n)):
        matrix[i, j] = 1 / (i + j + 1)
    return matrix @ x


def ordered(full, order, x):
    matrix = np.zeros(full.shape)
    for i in range(len(order)):
        for j in range(len(order)):
            matrix[order[i], order[j]] = full[i, j]
    return matrix @ x


def of_a_diagonal(matrix: torch.Tensor, x: torch.Tensor):
    return torch.diag(matrix, 1) @ x


def shifted_up(x: np.ndarray):
    return (np.eye(len(x), k=1) + x) @ x


def kept(edges, n):
    adjacency = np.zeros((n, n))
    adjacency[edges[0], edges[1]] = 1
    return adjacency


def cases(rng):
    x = rng.standard_normal(4)
    yield "hilbert", (4, x), {}
    yield "ordered", (rng.standard_normal((4, 4)), np.array([2, 0, 1, 3]), x), {}
    yield "of_a_diagonal", (torch.randn(5, 5), torch.randn(4)), {}
    yield "shifted_up", (x,), {}
    yield "kept", (np.array([[0, 1], [2, 2]]), 3), {}
