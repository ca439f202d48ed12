# refuse: RED502 the array is changed between, by an argument without a name
import operator

import numpy as np


def shuffled(x: np.ndarray, m: np.ndarray):
    first = np.exp(m).sum(1) * x[0]
    np.random.shuffle(m)
    return first, np.exp(m).sum(1) * x[0]


def added(x: np.ndarray, m: np.ndarray):
    first = np.exp(m).sum(1) * x[0]
    np.add(m, 1, m)
    return first, np.exp(m).sum(1) * x[0]


def clipped(x: np.ndarray, m: np.ndarray):
    first = np.exp(m).sum(1) * x[0]
    m.clip(0, 0.5, m)
    return first, np.exp(m).sum(1) * x[0]


def replaced(x: np.ndarray, m: np.ndarray):
    first = np.exp(m).sum(1) * x[0]
    operator.setitem(m, 0, 3)
    return first, np.exp(m).sum(1) * x[0]


def rounded(x: np.ndarray, m: np.ndarray):
    first = np.exp(m).sum(1) * x[0]
    bound = np.round(m, 1, m)
    return first, np.exp(m).sum(1) * x[0], bound


def squeezed(x: np.ndarray, m: np.ndarray):
    first = np.exp(m).sum(1) * x[0]
    np.squeeze(m)[0] = 5
    return first, np.exp(m).sum(1) * x[0]


def cases(rng):
    for name in ("shuffled", "added", "clipped", "replaced", "rounded", "squeezed"):
        yield name, (rng.standard_normal((4, 3)), rng.standard_normal((3, 3))), {}
