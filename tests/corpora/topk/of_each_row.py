# expect: ASC110 advice scope=nearest
# expect: ASC110 safe scope=least
# expect: ASC110 safe scope=beams
"""Of the order of each step only the first places are used."""

import numpy as np


def nearest(train: np.ndarray, labels: np.ndarray, test: np.ndarray, k: int):
    out = np.zeros(len(test))
    for i in range(len(test)):
        distances = ((train - test[i]) ** 2).sum(axis=1)
        order = np.argsort(distances)
        out[i] = labels[order[:k]].mean()
    return out


def least(rows: list[list[float]], k: int):
    out = []
    for row in rows:
        squares = [v * v for v in row]
        ordered = sorted(squares)
        out.append(sum(ordered[:k]))
    return out


def beams(starts: list[float], steps: list[list[float]], k: int):
    for more in steps:
        longer = []
        for start in starts:
            longer.extend([start + v for v in more])
        starts = sorted(longer, reverse=True)[:k]
    return starts


def cases(rng):
    for n, m in [(3, 4), (1, 1), (2, 7)]:
        train, test = rng.normal(size=(m, 3)), rng.normal(size=(n, 3))
        yield "nearest", (train, rng.normal(size=m), test, 2), {}
        rows = rng.normal(size=(n, m)).tolist()
        for k in (0, 2, 3):
            yield "least", (rows, k), {}
            yield "beams", ([0.0, 1.0], rows, k), {}
