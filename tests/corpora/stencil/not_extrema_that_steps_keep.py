# refuse: LOC302 what a step keeps is another thing than an extremum of all, or of nothing
# refuse: LOC303 what a step keeps is another thing than an extremum of all, or of nothing
# refuse: LOC306 what a step keeps is another thing than an extremum of all, or of nothing

import numpy as np


def decays(x: np.ndarray, w: int):
    """A step makes less of what there was."""
    n = x.shape[0] - w
    out = np.zeros(n)
    for i in range(n):
        best = 0.0
        for k in range(w):
            best = max(best * 0.5, x[i + k])
        out[i] = best
    return out


def the_other_one(x: np.ndarray, w: int):
    """It begins with the largest and keeps the smaller one at times."""
    n = x.shape[0] - w
    out = np.zeros(n)
    for i in range(n):
        best = x[i]
        for k in range(w):
            best = max(best, x[i + k])
            best = min(best, x[i])
        out[i] = best
    return out


def carried(x: np.ndarray, w: int):
    """What one cell keeps is where the next one begins."""
    n = x.shape[0] - w
    out = np.zeros(n)
    best = x[0]
    for i in range(n):
        for k in range(w):
            best = max(best, x[i + k])
        out[i] = best
    return out


def of_its_own(x: np.ndarray):
    """Later cells see the earlier ones as they are then."""
    n = x.shape[0]
    for i in range(1, n - 1):
        best = x[i]
        for d in (-1, 0, 1):
            best = max(best, x[i + d])
        x[i] = best
    return x


def cases(rng):
    yield "decays", (rng.normal(size=7), 3), {}
    yield "the_other_one", (rng.normal(size=7), 3), {}
    yield "carried", (rng.normal(size=7), 3), {}
    yield "of_its_own", (rng.normal(size=7),), {}
