# expect: SPA406 safe scope=largest
import numpy as np


def largest(x, idx):
    best = np.full(8, -np.inf)
    for i in range(len(x)):
        best[idx[i]] = max(best[idx[i]], x[i])
    return best


def cases(rng):
    yield "largest", (rng.random(9), rng.integers(0, 7, 9)), {}
