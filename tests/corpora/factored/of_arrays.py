# expect: SEP201 safe scope=both
import numpy as np


def both(a: np.ndarray, b: np.ndarray):
    s = 0.0
    for x in a:
        for y in b:
            s += (x - 1) * y**2
    return s


def cases(rng):
    yield "both", (rng.standard_normal(5), rng.standard_normal(7)), {}
