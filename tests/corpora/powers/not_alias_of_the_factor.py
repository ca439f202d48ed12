# refuse: ASC114 the factor is squared with the product
import numpy as np


def tower(a: np.ndarray, n: int):
    r = a
    for _ in range(n):
        r *= a
    return r


def cases(rng):
    yield "tower", (rng.random((2, 2)), 3), {}
