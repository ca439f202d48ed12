# expect: ASC114 safe scope=counted
# expect: ASC114 safe scope=grown
# expect: ASC114 unsafe scope=untold
# refuse: truth values added to themselves stay truth values
import numpy as np


def counted(x: int, n: int):
    for _ in range(n):
        x = x + x
    return x


def grown(n: int):
    x = np.ones(3)
    for _ in range(n):
        x = x + x
    return x


def untold(x: np.ndarray, n: int):
    for _ in range(n):
        x = x + x
    return x


def truths(n: int):
    mask = np.ones(3, dtype=bool)
    for _ in range(n):
        mask = mask + mask
    return mask


def cases(rng):
    for n in (0, 1, 9):
        yield "counted", (3, n), {}
        yield "grown", (n,), {}
        yield "untold", (rng.normal(size=4), n), {}
        yield "truths", (n,), {}
