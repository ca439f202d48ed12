# refuse: LOC306 a name keeps what an earlier step bound
import numpy as np


def f(x: np.ndarray, last: float):
    (n,) = x.shape
    out = np.zeros(n)
    for i in range(n):
        if x[i] > 0:
            last = x[i] * x[i]
        out[i] = last * last
    return out


def cases(rng):
    yield "f", (rng.standard_normal(5), 1.0), {}
