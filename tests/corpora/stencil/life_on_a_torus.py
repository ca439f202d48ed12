# expect: LOC306 safe scope=life
# expect: LOC306 safe scope=spelled
# expect: LOC302 safe scope=one_of_several
import numpy as np


def life(grid):
    """The neighbours of the last row are in the first; what they count to is asked at times."""
    h, w = grid.shape
    new = np.zeros_like(grid)
    for i in range(h):
        for j in range(w):
            total = 0
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    if (di, dj) != (0, 0):
                        total += grid[(i + di) % h, (j + dj) % w]
            if grid[i, j] == 1 and (total == 2 or total == 3):
                new[i, j] = 1
            elif grid[i, j] == 0 and total == 3:
                new[i, j] = 1
    return new


def spelled(grid):
    h, w = grid.shape
    new = grid.copy()
    for i in range(h):
        for j in range(w):
            total = grid[(i + 1) % h, j] + grid[(i - 1) % h, (j + 1) % w]
            if grid[i, j] == 1:
                if total < 1 or total > 2:
                    new[i, j] = 0
            elif total == 2:
                new[i, j] = 1
    return new


def one_of_several(cells: np.ndarray):
    new = np.zeros_like(cells)
    for i in range(1, len(cells) - 1):
        total = cells[i - 1] + cells[i + 1]
        if cells[i] not in (0, 5) and total in (1, 3):
            new[i] = 1
    return new


def cases(rng):
    for shape in ((7, 6), (1, 1), (2, 3)):
        yield "life", (rng.integers(0, 2, shape),), {}
        yield "spelled", (rng.integers(0, 2, shape),), {}
        yield "one_of_several", (rng.integers(0, 4, shape[0]),), {}
