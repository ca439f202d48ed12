# refuse: RED502 the view of unknown axes lies in the memory of what is summed again
import numpy as np


def flattened(x: np.ndarray):
    before = float(x.sum())
    flat = x.reshape(-1)
    flat[0] = 5.0
    return float(x.sum()) - before


def moved(x: np.ndarray):
    flat = x.ravel()
    before = float(x.sum())
    flat += 1.0
    return float(x.sum()) - before


def cases(rng):
    yield "flattened", (rng.normal(size=(3, 2)),), {}
    yield "moved", (rng.normal(size=4),), {}
