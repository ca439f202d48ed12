# expect: SYM604 safe scope=f
import numpy as np


def f(x: np.ndarray, h: np.ndarray):
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        for k in range(h.shape[0]):
            lag = i - k
            if lag < 0:
                continue
            out[i] += x[lag] * h[k]
    return out


def cases(rng):
    for n, m in ((1, 1), (2, 2), (7, 3), (12, 12)):
        yield "f", (rng.normal(size=n), rng.normal(size=m)), {}
