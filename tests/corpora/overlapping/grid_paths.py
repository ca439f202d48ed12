# expect: RED503 safe scope=cheapest.path

from typing import List


def cheapest(grid: List[List[int]]):
    rows, columns = len(grid), len(grid[0])

    def path(r, c):
        if r == rows or c == columns:
            return float("inf")
        if r == rows - 1 and c == columns - 1:
            return grid[r][c]
        return grid[r][c] + min(path(r + 1, c), path(r, c + 1))

    return path(0, 0)


def cases(rng):
    yield "cheapest", ([[1, 3, 1], [1, 5, 1], [4, 2, 1]],), {}
    yield "cheapest", ([[7]],), {}
