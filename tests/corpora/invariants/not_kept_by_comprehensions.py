# refuse: every step keeps an object of its own
import numpy as np


def starts(xs: list[int], n: int):
    return [sorted(xs) for _ in range(n)]


class Population:
    def __init__(self, x: np.ndarray, n: int):
        self.members = [np.sort(x) for _ in range(n)]

    def moved(self):
        for i, member in enumerate(self.members):
            member += i
        return self.members


def by_name(xs: list[int], names: list[str]):
    return {name: sorted(xs) for name in names}


def blocks(x: np.ndarray, n: int):
    out = [None] * n
    for i in range(n):
        out[i] = x @ x
    return out


def pairs(x: np.ndarray, n: int):
    return [((x @ x).T, i) for i in range(n)]


def views(x: np.ndarray, places: list[int]):
    return [(x @ x)[i] for i in places]


def reversed_views(x: np.ndarray, n: int):
    return list(np.sort(x)[::-1] for _ in range(n))


def written(make, *args):
    made = make(*args)
    first = made[next(iter(made))] if isinstance(made, dict) else made[0]
    first = first[0] if isinstance(first, tuple) else first
    first[0] = 99
    return made


def cases(rng):
    square = lambda: rng.normal(size=(3, 3))
    yield "lambda xs, n: written(starts, xs, n)", ([3, 1], 2), {}
    yield "lambda x: Population(x, 3).moved()", (rng.normal(size=4),), {}
    yield "lambda xs, names: written(by_name, xs, names)", ([3, 1], ["a", "b"]), {}
    yield "lambda x: written(blocks, x, 2)", (square(),), {}
    yield "lambda x: written(pairs, x, 2)", (square(),), {}
    yield "lambda x: written(views, x, [1, 1])", (square(),), {}
    yield "lambda x: written(reversed_views, x, 2)", (rng.normal(size=4),), {}
