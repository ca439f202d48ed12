# refuse: RED502 the call between writes the table
# refuse: RED507 the call between writes the matrix
# refuse: ASC105 the call between writes the triangle

import functools
import operator

import numpy as np


def accumulated(table: np.ndarray, x: np.ndarray):
    rows, columns = table.shape
    before = np.exp(table).sum(1) * x[0]
    np.add.accumulate(table.copy(), 0, None, table)
    after = np.exp(table).sum(1) * x[0]
    return before, after


def by_a_key(table: np.ndarray, x: np.ndarray):
    rows, columns = table.shape
    before = np.exp(table).sum(1) * x[0]
    largest = max(table, key=lambda row: row.fill(2) or 0)
    after = np.exp(table).sum(1) * x[0]
    return before, after, largest


def in_place_by_reduce(matrix: np.ndarray, b: np.ndarray):
    n, m = b.shape
    inverse = np.linalg.inv(matrix)
    functools.reduce(operator.iadd, [matrix, 1, 2])
    return inverse @ b


def by_a_generator(matrix: np.ndarray, b: np.ndarray):
    n, m = b.shape
    inverse = np.linalg.inv(matrix)
    np.random.default_rng(1).random(out=matrix)
    return inverse @ b


def handed_over(x: np.ndarray):
    n, d = x.shape
    triangle = np.tril(np.ones((n, n)))
    list(map(triangle.fill, [5]))
    return triangle @ x


def cases(rng):
    square = rng.normal(size=(3, 3)) + 4 * np.eye(3)
    yield "accumulated", (square, rng.normal(size=3)), {}
    yield "by_a_key", (square, rng.normal(size=3)), {}
    yield "in_place_by_reduce", (square, rng.normal(size=(3, 2))), {}
    yield "by_a_generator", (square, rng.normal(size=(3, 2))), {}
    yield "handed_over", (rng.normal(size=(4, 2)),), {}
