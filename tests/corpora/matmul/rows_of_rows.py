# expect: LOC301 safe scope=local_sum

import numpy as np


def local_sum(a, b):
    rows, inner, cols = len(a), len(b), b.shape[1]
    out = np.zeros((rows, cols), dtype=a.dtype)
    for r in range(rows):
        for c in range(cols):
            acc = 0
            for t in range(inner):
                acc = acc + a[r][t] * b[t][c]
            out[r][c] = acc
    return out


def cases(rng):
    yield "local_sum", (rng.random((5, 3)), rng.random((3, 4))), {}
    yield "local_sum", (rng.random((1, 2)), rng.random((2, 1))), {}
