# expect: SPA406 safe scope=pairs
import numpy as np


def pairs(a, b, w):
    table = np.zeros((7, 7))
    for i in range(a.shape[0]):
        table[a[i], b[i]] += w[i]
    return table


def cases(rng):
    yield "pairs", (rng.integers(0, 7, 9), rng.integers(0, 7, 9), rng.random(9)), {}
