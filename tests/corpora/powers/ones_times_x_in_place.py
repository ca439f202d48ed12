# expect: ASC114 safe scope=powered
import numpy as np


def powered(x: np.ndarray, n: int):
    out = np.ones_like(x)
    for _ in range(n):
        out *= x
    return out


def cases(rng):
    for n in (0, 1, 9):
        yield "powered", (rng.random((3, 2)), n), {}
