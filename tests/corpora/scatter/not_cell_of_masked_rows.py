# refuse: a mask takes a copy of rows, to which the step adds
import numpy as np


def marked(x: np.ndarray, masks: np.ndarray):
    for mask in masks:
        x[mask][0] += 1
    return x


def cases(rng):
    for n in (1, 5):
        yield "marked", (rng.standard_normal(n), np.ones((3, n), dtype=bool)), {}
