# expect: ASC114 safe scope=chain
from functools import reduce

import numpy as np


def chain(matrix: np.ndarray, k: int):
    return reduce(np.matmul, [matrix] * k)


def cases(rng):
    for size, k in ((1, 2), (3, 5), (4, 8)):
        yield "chain", (rng.random((size, size)), k), {}
