# expect: RED501 safe scope=shrink

import numpy as np


def shrink(x: np.ndarray, reference: np.ndarray):
    steps = 0
    while np.linalg.norm(x) > np.linalg.norm(reference, axis=None) / 2:
        x = x / 2
        steps += 1
    return x, steps


def cases(rng):
    yield "shrink", (rng.normal(size=7) * 9, rng.normal(size=3)), {}
    yield "shrink", (rng.normal(size=1), rng.normal(size=1)), {}
