# expect: SYM604 safe scope=f
import numpy as np


def f(x: np.ndarray, h: np.ndarray):
    (n,), (n,) = x.shape, h.shape
    out = np.zeros(n)
    for t in range(n):
        for k in range(t, n):
            out[t] += h[k - t] * x[k]
    return out


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), rng.normal(size=n)), {}
