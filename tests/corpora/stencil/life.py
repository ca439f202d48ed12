# expect: LOC302 safe scope=life
import numpy as np


def life(grid: np.ndarray):
    n, m = grid.shape
    new = np.zeros((n, m), dtype=int)
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            total = 0
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    if (di, dj) != (0, 0):
                        total += grid[i + di, j + dj]
            if grid[i, j] == 1 and (total == 2 or total == 3):
                new[i, j] = 1
            elif grid[i, j] == 0 and total == 3:
                new[i, j] = 1
    return new


def cases(rng):
    for size in ((9, 8), (3, 3), (2, 4)):
        yield "life", (rng.integers(0, 2, size),), {}
