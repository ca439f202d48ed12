# refuse: ASC114 a cell of an array is multiplied, which no name holds
import numpy as np


def shrunk(x: np.ndarray):
    (n,) = x.shape
    out = x.copy()
    for _ in range(0, n, 2):
        out[-1] *= 0.5
    return out


def cases(rng):
    for n in (5, 1):
        yield "shrunk", (rng.random(n),), {}
