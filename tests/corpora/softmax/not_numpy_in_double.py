# refuse: ASC107 types, some entries, a block in which errors are raised
import numpy as np


def summed_in_double(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True, dtype=np.float64)


def made_in_double(x):
    e = np.exp(x - x.max(axis=1, keepdims=True), dtype=np.float64)
    return e / e.sum(axis=1, keepdims=True)


def over_some(x, keep):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True, where=keep)


def told_of_what_overflows(x):
    with np.errstate(over="raise"):
        e = np.exp(x)
    return e / e.sum(axis=1, keepdims=True)


def cases(rng):
    x = rng.standard_normal((5, 7)).astype(np.float32)
    yield "summed_in_double", (x,), {}
    yield "made_in_double", (x,), {}
    yield "over_some", (x, rng.random((5, 7)) > 0.5), {}
    yield "told_of_what_overflows", (x,), {}
