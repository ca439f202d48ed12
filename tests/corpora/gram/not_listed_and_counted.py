# refuse: SYM602 computing an entry changes a list
import numpy as np


def f(x: np.ndarray, seen: list):
    n, d = x.shape
    return np.array([[np.dot(a, b) + 0 * len([seen.append(0)]) for b in x] for a in x])


def cases(rng):
    for n, d in ((2, 3), (7, 5)):
        yield "f", (rng.normal(size=(n, d)), []), {}
