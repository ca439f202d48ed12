# refuse: ASC114 the factor is written to
import numpy as np


def product(a: np.ndarray, n: int):
    size, _ = a.shape
    p = np.eye(size)
    for i in range(n):
        p = p @ a
        a[0, 0] += 1.0
    return p


def cases(rng):
    yield "product", (rng.random((3, 3)), 4), {}
