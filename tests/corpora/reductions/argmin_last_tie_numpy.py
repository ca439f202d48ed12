# may: ASC106 safe|advice scope=latest_minimum
# `<=` keeps the last of several equal elements, where argmin gives the first.
import numpy as np


def latest_minimum(signal: np.ndarray) -> int:
    where = 0
    for i in range(1, signal.shape[0]):
        if signal[i] <= signal[where]:
            where = i
    return where


def cases(rng):
    yield "latest_minimum", (np.array([4.0, 1.0, 3.0, 1.0, 2.0]),), {}
    yield "latest_minimum", (np.array([1.0]),), {}
    yield "latest_minimum", (rng.standard_normal(40),), {}
