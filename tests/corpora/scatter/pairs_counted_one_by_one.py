# expect: SPA406 safe scope=confusion
# expect: SPA406 safe scope=joint
# expect: SPA406 safe scope=rows_first
import numpy as np


def confusion(y_true, y_pred, n):
    table = np.zeros((n, n), dtype=int)
    for i in range(n):
        for j in range(n):
            table[i, j] = np.sum((y_true == i) & (y_pred == j))
    return table


def joint(a: np.ndarray, b: np.ndarray, n: int, m: int):
    table = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            table[i][j] = np.count_nonzero(np.logical_and(j == b, a == i))
    return table / len(a)


def rows_first(a: np.ndarray, b: np.ndarray, n: int):
    hist = np.zeros((n, 3), np.int32)
    for p in range(n):
        for q in range(3):
            hist[p, q] = ((a == p) * (b == q)).sum()
    return hist


def cases(rng):
    for size in (0, 1, 9):
        a, b = rng.integers(-1, 4, size), rng.integers(-1, 4, size)
        yield "confusion", (a, b, 3), {}
        yield "rows_first", (a.astype(float) / 2, b, 2), {}
        if size:
            yield "joint", (a[::-1], b.astype(np.int8), 3, 5), {}
    grid = rng.integers(0, 3, (4, 5))
    yield "confusion", (grid.T, grid.T[::-1], 3), {}
