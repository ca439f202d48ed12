# refuse: ASC105 the first maximum is a float, the others are integers
# may: ASC105 advice scope=marks
import numpy as np


def marks(n):
    values = np.arange(n)[::-1]
    best = 0.5
    found = np.zeros(n)
    for i in range(n):
        best = max(best, values[i])
        found[i] = best / 3
    return found


def cases(rng):
    yield "marks", (7,), {}
