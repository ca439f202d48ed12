# refuse: SPA401 a second place of each row is written as well
import numpy as np


def written(labels, seconds, centres):
    hot = np.zeros((len(labels), centres.shape[0]))
    hot[np.arange(len(labels)), labels] = 1.0
    hot[np.arange(len(labels)), seconds] = 0.5
    return hot.dot(centres)


def cases(rng):
    yield "written", (rng.integers(0, 4, 5), rng.integers(0, 4, 5), rng.standard_normal((4, 2))), {}
