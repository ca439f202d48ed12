# refuse: ASC105 each step goes on from what the array made of the one before
# may: ASC105 advice scope=whole
import numpy as np


def whole(values):
    kept = np.zeros(len(values), dtype=int)
    for i in range(1, len(values)):
        if values[i] > 0:
            kept[i] = kept[i - 1] + values[i]
        else:
            kept[i] = kept[i - 1]
    return kept


def cases(rng):
    yield "whole", (rng.standard_normal(9) * 3,), {}
