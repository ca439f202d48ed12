# refuse: SPA406 a median is no sum, and the rows of all other groups are no group
import numpy as np


def medians(values: np.ndarray, groups: np.ndarray):
    return np.array([np.median(values[groups == key]) for key in np.unique(groups)])


def others(values: np.ndarray, groups: np.ndarray):
    return np.array([values[groups != key].sum() for key in np.unique(groups)])


def cases(rng):
    for n in (1, 2, 41):
        yield "medians", (rng.standard_normal(n), rng.integers(0, 5, n)), {}
        yield "others", (rng.standard_normal(n), rng.integers(0, 5, n)), {}
