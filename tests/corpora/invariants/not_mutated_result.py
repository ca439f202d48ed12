# refuse: RED501 each step changes its own result in place

import numpy as np


def masked(x: np.ndarray, logits: np.ndarray):
    total = 0.0
    for i in range(3):
        weights = np.exp(np.abs(logits))
        weights[i] = 0.0
        total = total + np.sin(total) + (weights * x).max()
    return total


def cases(rng):
    yield "masked", (rng.normal(size=4), rng.normal(size=4)), {}
