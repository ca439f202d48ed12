# refuse: the condition reads what the step before wrote
import numpy as np


def f(x: np.ndarray):
    (n,) = x.shape
    out = np.zeros(n)
    for i in range(1, n):
        out[i] = x[i] if out[i - 1] <= 0 else -2 * x[i]
    return out


def cases(rng):
    yield "f", (rng.random(6),), {}
