# refuse: the array cuts off a fraction before it is read again
import numpy as np


def doubled(x: np.ndarray):
    out = np.zeros(len(x), dtype=np.int64)
    for i in range(len(x)):
        out[i] = x[i]
        out[i] = out[i] * 2
    return out


def cases(rng):
    yield "doubled", (rng.standard_normal(5) * 3,), {}
