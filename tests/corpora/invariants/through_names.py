# expect: RED501 safe scope=whiten

import numpy as np


def whiten(batches: np.ndarray, spread: np.ndarray):
    out = np.empty_like(batches)
    for i in range(len(batches)):
        centred = batches[i] - batches[i].mean(axis=0)
        c = spread
        root = np.linalg.cholesky(c)
        out[i] = centred @ root
    return out


def cases(rng):
    a = rng.normal(size=(3, 3))
    yield "whiten", (rng.normal(size=(5, 4, 3)), a @ a.T + np.eye(3)), {}
    yield "whiten", (rng.normal(size=(1, 2, 1)), np.ones((1, 1))), {}
