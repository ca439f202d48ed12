# expect: ASC106 safe scope=shares
import numpy as np


def shares(a: np.ndarray):
    """Nothing says how many axes there are, and the total is of all of them."""
    out = np.zeros_like(a)
    for i in range(len(a)):
        out[i] = a[i] / a.sum()
    return out


def cases(rng):
    for shape in ((4,), (4, 3), (2, 1, 3), (1, 5)):
        yield "shares", (rng.random(shape),), {}
