# expect: SPA406 safe scope=batched
import numpy as np


def batched(x, idx):
    B, n = x.shape
    out = np.zeros((B, 8))
    for b in range(B):
        for i in range(n):
            out[b, idx[b, i]] += x[b, i]
    return out


def cases(rng):
    yield "batched", (rng.random((3, 9)), rng.integers(0, 7, (3, 9))), {}
