# refuse: ASC105 an element is read that an earlier step has written
import numpy as np


def relative(values):
    peak = -np.inf
    for i in range(1, len(values)):
        peak = max(peak, values[i - 1])
        values[i] = values[i] - peak
    return values


def cases(rng):
    yield "relative", (rng.standard_normal(7),), {}
