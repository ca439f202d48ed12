# expect: ASC106 safe scope=dot
import numpy as np


def dot(u: np.ndarray, v: np.ndarray):
    assert u.ndim == 1 and u.shape == v.shape
    acc = 0.0
    for i in range(len(u)):
        acc += u[i] * v[i]
    return acc


def cases(rng):
    for n in (1, 2, 100):
        yield "dot", (rng.standard_normal(n), rng.standard_normal(n)), {}
