# refuse: RED503 what the function reads is changed under another name between two calls
import numpy as np


def renamed(w: list[int], n: int):
    u = w

    def best(i: int) -> int:
        return w[0] if i < 2 else best(i - 1) + best(i - 2)

    first = best(n)
    u[0] = 5
    return first, best(n)


def longer(w: list[int], n: int):
    u = w

    def best(i: int) -> int:
        return len(w) if i < 2 else best(i - 1) + best(i - 2)

    first = best(n)
    u.append(1)
    return first, best(n)


def a_row(grid: list[list[int]], n: int):
    row = sorted(grid)[0]

    def best(i: int) -> int:
        return grid[0][0] if i < 2 else best(i - 1) + best(i - 2)

    first = best(n)
    row[0] += 10
    return first, best(n)


def of_a_copy(grid: list[list[int]], n: int):
    rows = {"all": grid.copy() + []}

    def best(i: int) -> int:
        return grid[0][0] if i < 2 else best(i - 1) + best(i - 2)

    first = best(n)
    (row := rows["all"][0])[0] = 50
    return first, best(n), row


def within(grid: list[list[int]], n: int):
    def bump():
        first, *_ = grid
        first[0] += 10

    def best(i: int) -> int:
        return grid[0][0] if i < 2 else best(i - 1) + best(i - 2)

    first = best(n)
    bump()
    return first, best(n)


def a_view(w: np.ndarray, n: int):
    tail = np.asarray(w)[::-1]

    def best(i: int) -> int:
        return int(w[0]) if i < 2 else best(i - 1) + best(i - 2)

    first = best(n)
    tail += 7
    return first, best(n)


class Holder:
    def run(self, w: list[int], n: int):
        self.w = w

        def best(i: int) -> int:
            return w[0] if i < 2 else best(i - 1) + best(i - 2)

        first = best(n)
        self.step()
        return first, best(n)

    def step(self):
        self.w[0] = 9


def cases(rng):
    yield "renamed", ([1, 2], 5), {}
    yield "longer", ([1, 2], 5), {}
    yield "a_row", ([[1, 2], [3]], 5), {}
    yield "of_a_copy", ([[1, 2], [3]], 5), {}
    yield "within", ([[1, 2], [3]], 5), {}
    yield "a_view", (np.arange(3), 5), {}
    yield "Holder().run", ([1, 2], 5), {}
