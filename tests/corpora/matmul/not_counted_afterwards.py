# refuse: LOC301 the last `j` is read after the second loop
import numpy as np


def pooled(queries: np.ndarray, keys: np.ndarray, values: np.ndarray):
    n, d = queries.shape
    m, d = keys.shape
    m, e = values.shape
    out = np.zeros((n, e))
    last = 0
    for i in range(n):
        for j in range(m):
            out[i] += keys[j, 0] * values[j]
        last += j
    return out, last


def cases(rng):
    yield "pooled", tuple(rng.standard_normal(shape) for shape in ((4, 3), (5, 3), (5, 2))), {}
