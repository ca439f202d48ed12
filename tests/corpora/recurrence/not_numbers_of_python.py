# refuse: ASC101 the state is a number of Python, in double precision whatever the array holds
import math

import numpy as np


def last(x: np.ndarray):
    s = 0.0
    for t in range(len(x)):
        s = 0.9 * s + float(x[t])
    return s


def kept(x: np.ndarray):
    s, out = 0.0, []
    for t in range(len(x)):
        s = 0.9 * s + math.sqrt(x[t])
        out.append(s)
    return np.array(out)


def cases(rng):
    for n in (1, 9):
        yield "last", (rng.random(n),), {}
        yield "kept", (rng.random(n).astype(np.float32),), {}
        yield "last", (rng.random(n).astype(np.float32),), {}
