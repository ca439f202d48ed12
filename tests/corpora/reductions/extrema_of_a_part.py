# expect: ASC106 safe scope=highest
# expect: ASC106 safe scope=lowest_inside
import numpy as np


def highest(table: np.ndarray):
    best = table[0].copy()
    for row in table[1:]:
        best = np.maximum(best, row)
    return best


def lowest_inside(rows: int, columns: int, height: float):
    grid = np.full((rows, columns), height)
    least = 10.0
    for row in grid:
        for cell in row:
            least = min(least, cell)
    return least


def cases(rng):
    for rows in (1, 2, 5):
        yield "highest", (rng.normal(size=(rows, 3)),), {}
    for rows, columns in ((3, 4), (3, 0), (0, 3)):
        yield "lowest_inside", (rows, columns, 2.5), {}
