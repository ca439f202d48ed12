# expect: ASC110 safe scope=nearest
# expect: ASC110 safe scope=farthest
# expect: ASC110 safe scope=spread
# expect: ASC110 safe scope=by_column
import numpy as np


def nearest(distances, k):
    return np.sort(distances, axis=1)[:, :k]


def farthest(distances, k):
    # of rows the last ones, of numbers the greatest
    ordered = np.sort(np.abs(distances))[::-1]
    return ordered[:k]


def spread(prices):
    ordered = np.sort(prices)
    return ordered[1] - ordered[0]


def by_column(scores: np.ndarray, k: int):
    ordered = np.sort(scores, axis=0)
    return ordered[-k:].mean(axis=0), ordered[-k:]


def cases(rng):
    for rows, columns, k in ((1, 1, 1), (4, 7, 3), (5, 3, 9), (2, 40, 0)):
        grid = rng.integers(-9, 9, (rows, columns)).astype(np.float32)
        yield "nearest", (grid, k), {}
        yield "farthest", (grid, k), {}
        yield "farthest", (grid[0], k), {}
        yield "farthest", (grid[0].tolist(), k), {}
        yield "spread", (rng.standard_normal(columns + 1),), {}
        yield "by_column", (rng.standard_normal((rows + 1, columns)), k + 1), {}
        yield "by_column", (rng.standard_normal((rows + 1, 2 * columns))[:, ::2], k + 1), {}
