# expect: LOC302 safe scope=lagged
import numpy as np


def lagged(x: np.ndarray, lag):
    out = np.zeros(x.shape[0])
    for t in range(lag, x.shape[0]):
        out[t] = x[t] - x[t - lag]
    return out


def cases(rng):
    yield "lagged", (rng.random(9), 2), {}
