# refuse: ASC105 numbers of Python stand in the list until the first larger element
# may: ASC105 advice scope=doubled
import numpy as np


def doubled(readings):
    best = 0.0
    found = []
    for i in range(len(readings)):
        best = max(best, readings[i])
        found.append(best * 2)
    return np.array(found)


def cases(rng):
    yield "doubled", (rng.standard_normal(7).astype(np.float32) - 9,), {}
