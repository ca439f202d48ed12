# refuse: LOC302 a row of another length may be left, which only some steps would read
# refuse: LOC306 a row of another length may be left, which only some steps would read
import numpy as np


def thinned(grid: np.ndarray):
    h, w = grid.shape
    new = grid.copy()
    for i in range(h):
        for j in range(w):
            if grid[i, j] > 0 and grid[(i + 1) % w, j] > 0:
                new[i, j] = 0
    return new


def cases(rng):
    yield "thinned", (rng.integers(0, 2, (7, 6)),), {}
    yield "thinned", (-rng.integers(0, 2, (3, 6)),), {}
