# expect: SPA406 safe scope=bins
import numpy as np


def bins(x, lo, hi):
    h = np.zeros(10, dtype=int)
    for i in range(x.shape[0]):
        h[int((x[i] - lo) / (hi - lo) * 10)] += 1
    return h


def cases(rng):
    yield "bins", (rng.random(9), 0.0, 2.0), {}
