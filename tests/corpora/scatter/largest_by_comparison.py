# expect: SPA406 safe scope=largest_if
import numpy as np


def largest_if(x, idx):
    best = np.full(8, -np.inf)
    for i in range(len(x)):
        if x[i] > best[idx[i]]:
            best[idx[i]] = x[i]
    return best


def cases(rng):
    yield "largest_if", (rng.random(9), rng.integers(0, 7, 9)), {}
