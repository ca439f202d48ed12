# expect: ASC108 advice scope=std
import numpy as np


def std(x: np.ndarray):
    return np.sqrt(np.mean(np.square(x)) - np.mean(x) ** 2)


def cases(rng):
    yield "std", (rng.normal(size=(5, 3)),), {}
    yield "std", (rng.normal(size=(7,)),), {}
