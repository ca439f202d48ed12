# refuse: SPA406 the table is no zeros, the range is a part, or more than a pair of groups decides
import numpy as np


def ones(a: np.ndarray, b: np.ndarray, n: int):
    table = np.ones((n, n))
    for i in range(n):
        for j in range(n):
            table[i, j] = np.sum((a == i) & (b == j))
    return table


def upper(a: np.ndarray, b: np.ndarray, n: int):
    table = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            table[i, j] = np.sum((a == i) & (b == j))
    return table


def either(a: np.ndarray, b: np.ndarray, n: int):
    table = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            table[i, j] = np.sum((a == i) | (b == j))
    return table


def larger(a: np.ndarray, b: np.ndarray, n: int):
    table = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            table[i, j] = np.sum((a == i) & (b > j))
    return table


def truths(a: np.ndarray, b: np.ndarray, n: int):
    table = np.zeros((n, n), dtype=bool)
    for i in range(n):
        for j in range(n):
            table[i, j] = np.sum((a == i) & (b == j))
    return table


def along(a: np.ndarray, b: np.ndarray, n: int):
    table = np.zeros((n, n, 4))
    for i in range(n):
        for j in range(n):
            table[i, j] = np.sum((a == i) & (b == j), axis=0)
    return table


def cases(rng):
    a, b = rng.integers(0, 3, (5, 4)), rng.integers(0, 3, (5, 4))
    for name in ("ones", "upper", "either", "larger", "truths", "along"):
        yield name, (a, b, 3), {}
