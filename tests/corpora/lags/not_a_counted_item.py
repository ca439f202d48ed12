# refuse: SYM603 making an item takes one off a list
import numpy as np


def f(x: np.ndarray, c: np.ndarray, seen: list):
    (n,), (n,) = x.shape, c.shape
    return np.array([sum(c[(i - j) % n] * x[j] for j in range(n)) * seen.pop() for i in range(n)])


def cases(rng):
    for n in (1, 2, 7):
        yield "f", (rng.normal(size=n), rng.normal(size=n), [1.0] * n), {}
