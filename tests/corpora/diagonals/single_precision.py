# expect: SPA402 safe scope=scaled
import numpy as np


def scaled(a: np.ndarray, v: np.ndarray):
    n, m = a.shape
    (n,) = v.shape
    return (np.eye(n) * v) @ a


def cases(rng):
    yield "scaled", (np.ones((3, 2), np.float32), np.ones(3, np.float32)), {}
