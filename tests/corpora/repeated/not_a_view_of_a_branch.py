# refuse: what is written in between may be a part of what is read
import numpy as np


def chosen(a: np.ndarray, damped: bool):
    if damped:
        c = a
    else:
        c = a[0]
    u = np.linalg.norm(a @ a) * 2
    c += 1
    return u + np.linalg.norm(a @ a)


def stepwise(a: np.ndarray):
    c = a[0]
    for _ in range(2):
        c += 1
    u = np.exp(a) * 2
    c += 1
    return u + np.exp(a) + np.exp(a)


def cases(rng):
    for damped in (True, False):
        yield "chosen", (rng.normal(size=(3, 3)), damped), {}
    yield "stepwise", (rng.normal(size=(3, 3)),), {}
