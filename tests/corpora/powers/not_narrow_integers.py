# refuse: ASC114 the exponent is read in the array's dtype
import numpy as np


def power(n: int):
    x = np.arange(4, dtype=np.int8)
    r = np.ones(4, dtype=np.int8)
    for _ in range(n):
        r = r * x
    return r


def cases(rng):
    yield "power", (300,), {}
