# expect: ASC101 safe scope=reads_prev
# refuse: LOC306 a step reads what the one before wrote
import numpy as np


def reads_prev(x: np.ndarray):
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        out[i] = out[i - 1] * 0.5 + x[i]
    return out


def cases(rng):
    yield "reads_prev", (rng.random(9),), {}
    yield "reads_prev", (rng.random(1),), {}
