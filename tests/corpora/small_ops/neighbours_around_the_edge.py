# expect: LOC306 safe scope=neighbours
# expect: LOC306 safe scope=life
# expect: LOC306 safe scope=crossed
import numpy as np

AROUND = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def neighbours(grid):
    rows, cols = grid.shape
    count = np.zeros((rows, cols))
    for i in range(rows):
        for j in range(cols):
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    if di == 0 and dj == 0:
                        continue
                    count[i, j] += grid[(i + di) % rows, (j + dj) % cols]
    return count


def life(board):
    rows, cols = board.shape
    around = np.zeros((rows, cols))
    for r in range(rows):
        for c in range(cols):
            alive = 0
            for dr, dc in AROUND:
                alive += board[(r + dr) % rows, (c + dc) % cols]
            around[r, c] = alive
    return around


def crossed(u):
    n, m = u.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            for d in (-2, 2):
                out[i, j] += u[(i + d) % n, j] - u[i, (j + d) % m]
    return out


def cases(rng):
    for shape in ((5, 7), (1, 1), (2, 3), (3, 1)):
        yield "neighbours", (rng.integers(0, 2, shape),), {}
        yield "life", (rng.integers(0, 2, shape),), {}
        yield "crossed", (rng.standard_normal(shape),), {}
