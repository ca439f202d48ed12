# refuse: three and eight numbers are sorted before a selection has begun
import numpy as np


def between(a: np.ndarray, b: np.ndarray, c: np.ndarray):
    return np.sort(np.stack([a, b, c]), axis=0)[1]


def second(block: np.ndarray):
    return np.sort(block[:8])[1]


def cases(rng):
    yield "between", tuple(rng.standard_normal(9) for _ in range(3)), {}
    yield "second", (rng.standard_normal(9),), {}
