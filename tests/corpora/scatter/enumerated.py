# expect: SPA406 safe scope=scaled
import numpy as np


def scaled(x: np.ndarray, idx: np.ndarray, out: np.ndarray):
    assert x.ndim == 1 and out.ndim == 1 and idx.ndim == 1
    for i, j in enumerate(idx):
        out[j] -= 0.5 * x[i]
    return out


def cases(rng):
    yield "scaled", (rng.random(9), rng.integers(0, 7, 9), rng.random(8)), {}
