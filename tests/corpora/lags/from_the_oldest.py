# expect: SYM604 safe scope=f
import numpy as np


def f(x: np.ndarray, h: np.ndarray):
    n, m = x.shape[0], h.shape[0]
    out = np.zeros(n)
    for i in range(n):
        for s in range(max(0, i - m + 1), i + 1):
            out[i] += x[s] * h[i - s]
    return out


def cases(rng):
    for n, m in ((1, 1), (2, 2), (7, 3), (12, 12)):
        yield "f", (rng.normal(size=n), rng.normal(size=m)), {}
