# refuse: what the block did before an error stays, and the error is not seen
from contextlib import suppress

import numpy as np


def inverted(a: np.ndarray):
    h = 0.0
    with suppress(np.linalg.LinAlgError):
        for _ in range(5):
            h += 1
            h += np.linalg.inv(a).sum()
    return h


def doubled(x: np.ndarray, n: int):
    out = np.zeros(3)
    with suppress(IndexError):
        for i in range(n):
            out[i] = x[i] * 2
    return out


def largest(x: list[float]):
    a = 0.0
    with suppress(IndexError):
        a = sorted(x)[-1]
    return a


def cases(rng):
    yield "inverted", (np.zeros((2, 2)),), {}
    yield "inverted", (np.eye(2),), {}
    yield "doubled", (np.arange(5.0), 5), {}
    yield "largest", ([],), {}
    yield "largest", ([1.0, 3.0],), {}
