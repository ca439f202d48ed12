# refuse: RED505 the third place is read where there is one only
import numpy as np


def third(x: np.ndarray):
    (n,) = x.shape
    ordered = np.sort(x)
    if n < 3:
        return x.sum()
    return ordered[2]


def cases(rng):
    yield "third", (rng.standard_normal(5),), {}
    yield "third", (rng.standard_normal(2),), {}
