# expect: SPA407 advice scope=second_differences
# expect: SPA407 advice scope=three_diagonals
# expect: SPA407 advice scope=of_edges
# expect: SPA407 advice scope=propagated
# expect: SPA407 advice scope=added_at
# may: SPA406 unsafe|advice scope=of_edges
import numpy as np
import torch


def second_differences(x: np.ndarray):
    n = len(x)
    matrix = np.eye(n, k=1) - 2 * np.eye(n) + np.eye(n, k=-1)
    return matrix @ x


def three_diagonals(below, middle, above, x):
    return np.dot(np.diag(below, -1) + np.diag(middle) + np.diag(above, 1), x)


def of_edges(edges, x: np.ndarray):
    adjacency = np.zeros((len(x), len(x)))
    for source, target in edges:
        adjacency[target, source] = 1
    return adjacency @ x


def propagated(edges, x):
    adjacency = torch.zeros(x.size(0), x.size(0))
    adjacency[edges[0], edges[1]] = 1.0
    return torch.matmul(adjacency, x)


def added_at(rows, columns, weights, x: np.ndarray):
    matrix = np.zeros((len(x), len(x)))
    np.add.at(matrix, (rows, columns), weights)
    return matrix.T @ x


def cases(rng):
    x = rng.standard_normal(5)
    yield "second_differences", (x,), {}
    yield "three_diagonals", (x[1:], x, x[:-1], x), {}
    yield "of_edges", ([(0, 1), (3, 2)], x), {}
    yield (
        "propagated",
        (torch.tensor([[0, 1, 1], [2, 4, 2]]), torch.from_numpy(x)[:, None].float()),
        {},
    )
    yield "added_at", (np.array([0, 1]), np.array([2, 2]), np.ones(2), x), {}
