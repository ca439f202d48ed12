# expect: RED501 safe scope=shares
# expect: RED501 safe scope=scaled
# expect: RED501 safe scope=below
# expect: RED501 safe scope=grouped
# expect: RED501 safe scope=descend
import numpy as np


def shares(xs):
    return [x / max(xs) for x in xs]


def scaled(values: list[float]):
    n = len(values)
    kept = np.array(values)
    out = []
    for i in range(n):
        out.append(values[i] - kept.min())
    return out


def below(xs: np.ndarray, k: int):
    at, found = 0, []
    while at < len(xs):
        found.append(float(np.max(xs) - xs[at]))
        at += k
    return found


def grouped(pairs: list[tuple[np.ndarray, int]]):
    out = []
    for values, count in pairs:
        for i in range(count):
            out.append(values[i] / np.max(values))
    return out


def descend(x: np.ndarray, y: np.ndarray, w: np.ndarray, steps: int):
    for _ in range(steps):
        w = w - 0.1 * (x.T @ x @ w - x.T @ y)
    return w


def cases(rng):
    yield "shares", ([1.0, 2.5],), {}
    yield "shares", ([],), {}
    yield "scaled", ([1.0, 2.5],), {}
    yield "scaled", ([],), {}
    yield "below", (np.array([1.0, 2.0, 0.5]), 2), {}
    yield "below", (np.array([]), 2), {}
    groups = [(np.array([1.0, 2.0]), 2), (np.array([]), 0), (np.array([3.0]), 1)]
    yield "grouped", (groups,), {}
    yield "descend", (rng.normal(size=(5, 2)), rng.normal(size=5), rng.normal(size=2), 3), {}
    yield "descend", (rng.normal(size=(5, 2)), rng.normal(size=5), rng.normal(size=2), 0), {}
