# expect: ASC101 safe scope=gs
# refuse: LOC302 the loop reads what it wrote
import numpy as np


def gs(x: np.ndarray):
    n = x.shape[0]
    for i in range(1, n - 1):
        x[i] = (x[i - 1] + x[i + 1]) / 2
    return x


def cases(rng):
    yield "gs", (rng.random(9),), {}
    yield "gs", (rng.random(2),), {}
