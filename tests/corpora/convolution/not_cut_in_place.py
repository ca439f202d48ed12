# refuse: a step reads what the one before wrote
import numpy as np


def smooth(x: np.ndarray, w: int):
    for i in range(len(x)):
        x[i] = x[max(0, i - w) : i + w + 1].mean()
    return x


def cases(rng):
    yield "smooth", (rng.standard_normal(9), 2), {}
