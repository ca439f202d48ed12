# refuse: SPA402 zeros fill the matrix up, or the values may be those of many matrices
import numpy as np


def rebuilt(a):
    u, s, vt = np.linalg.svd(a)
    middle = np.zeros(a.shape)
    middle[: len(s), : len(s)] = np.diag(s)
    return u @ middle @ vt


def largest(a):
    values = np.linalg.svd(a, compute_uv=False)
    return values[0], np.diag(values)


def cases(rng):
    yield "rebuilt", (rng.normal(size=(4, 3)),), {}
    yield "largest", (rng.normal(size=(4, 3)),), {}
    yield "largest", (rng.normal(size=(2, 2, 2)),), {}
