# expect: LOC301 safe scope=pooled
import numpy as np


def pooled(queries: np.ndarray, keys: np.ndarray, values: np.ndarray):
    n, d = queries.shape
    m, d = keys.shape
    m, e = values.shape
    out = np.zeros((n, e))
    for i in range(n):
        scores = np.zeros(m)
        for j in range(m):
            scores[j] = queries[i] @ keys[j]
        weights = np.tanh(scores)
        for j in range(m):
            out[i] += weights[j] * values[j]
    return out


def cases(rng):
    yield "pooled", tuple(rng.standard_normal(shape) for shape in ((4, 3), (5, 3), (5, 2))), {}
    yield "pooled", tuple(rng.standard_normal(shape) for shape in ((1, 1), (1, 1), (1, 1))), {}
