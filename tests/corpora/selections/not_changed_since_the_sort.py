# refuse: what is sorted is written into before the place is read
import numpy as np


def odd(x: np.ndarray):
    s = np.sort(x)
    x[0] = 100.0
    n = len(s)
    return s[n // 2]


def cases(rng):
    for n in (1, 2, 5, 40):
        yield "odd", (rng.standard_normal(n),), {}
