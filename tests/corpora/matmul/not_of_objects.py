# refuse: the products are objects, which keep their types
import numpy as np


def product(x: np.ndarray, y: np.ndarray):
    n, m = x.shape
    p = y.shape[1]
    out = np.zeros((n, p), dtype=object)
    for i in range(n):
        for j in range(p):
            for k in range(m):
                out[i, j] += x[i, k] * y[k, j]
    return out


def cases(rng):
    yield "product", (rng.standard_normal((2, 3)), rng.standard_normal((3, 2))), {}
