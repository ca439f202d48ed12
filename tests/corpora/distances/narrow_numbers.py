# expect: SEP205 safe scope=squares
import numpy as np


def squares(x: np.ndarray, y: np.ndarray):
    (n, _), (m, _) = x.shape, y.shape
    d = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            d[i, j] = ((x[i] - y[j]) ** 2).sum()
    return d


def cases(rng):
    for kind in (np.uint8, np.int8, np.int64, np.float32):
        x, y = ((rng.normal(size=(n, 3)) * 60).astype(kind) for n in (5, 4))
        yield "squares", (x, y), {}
