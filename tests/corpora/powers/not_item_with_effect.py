# refuse: ASC114 the item is drawn anew
from functools import reduce

import numpy as np


def chain(k: int):
    return reduce(np.matmul, [np.random.rand(2, 2) for _ in range(k)])


def cases(rng):
    yield "chain", (3,), {}
