# refuse: ASC101 each level is cut as it is written
import numpy as np


def f(x):
    level = np.zeros(len(x), dtype=np.int64)
    for i in range(1, len(x)):
        level[i] = 0.5 * level[i - 1] + x[i]
    return level


def cases(rng):
    yield "f", (rng.integers(0, 9, 60),), {}
