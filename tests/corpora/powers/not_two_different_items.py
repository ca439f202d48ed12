# refuse: ASC114 a fold of two items in turn
from functools import reduce

import numpy as np


def chain(a: np.ndarray, b: np.ndarray, k: int):
    return reduce(np.matmul, [a, b] * k)


def cases(rng):
    yield "chain", (rng.random((2, 2)), rng.random((2, 2)), 3), {}
