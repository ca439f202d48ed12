# refuse: ASC105 the peak is lower at each step
# may: ASC104 advice scope=faded
import numpy as np


def faded(readings):
    peak = -np.inf
    found = np.zeros(len(readings))
    for i in range(len(readings)):
        peak = max(peak * 0.9, readings[i])
        found[i] = peak - readings[i]
    return found


def cases(rng):
    yield "faded", (rng.standard_normal(7),), {}
