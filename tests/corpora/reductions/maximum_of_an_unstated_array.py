# expect: ASC106 safe scope=envelope
import numpy as np


def envelope(x):
    highest = x[0].copy()
    for i in range(1, x.shape[0]):
        highest = np.maximum(highest, x[i])
    return highest


def cases(rng):
    for shape in ((1, 3), (6, 4), (5,)):
        yield "envelope", (rng.normal(size=shape),), {}
