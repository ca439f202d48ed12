# may: ASC106 safe scope=shorter
# may: ASC106 safe scope=asked_elsewhere
# may: ASC106 safe|advice scope=masked
import numpy as np


def shorter(a: np.ndarray, b: np.ndarray):
    assert a.shape == b.shape
    b = b[:-1]
    s = 0.0
    for i in range(len(b)):
        s += a[i] * b[i]
    return s


def asked_elsewhere(a: np.ndarray, b: np.ndarray, strict: bool):
    if strict:
        assert a.shape == b.shape
    s = 0.0
    for x, y in zip(a, b):
        s += x * y
    return s


def masked(a: np.ndarray, b: np.ndarray):
    if len(a) != len(b):
        raise ValueError("lengths")
    b = b[b > 0]
    out = 0.0
    for i in range(len(b)):
        out += a[i] - b[i]
    return out


def cases(rng):
    yield "shorter", (rng.normal(size=4), rng.normal(size=4)), {}
    yield "shorter", (rng.normal(size=2), rng.normal(size=2)), {}
    yield "asked_elsewhere", (rng.normal(size=4), rng.normal(size=3), False), {}
    yield "asked_elsewhere", (rng.normal(size=4), rng.normal(size=1), False), {}
    yield "masked", (rng.normal(size=5), np.array([1.0, -1.0, 2.0, -0.5, 0.1])), {}
