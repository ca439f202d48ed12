# expect: SPA402 safe scope=keep
# expect: SPA402 safe scope=columns
# expect: SPA402 unsafe scope=scaled
import numpy as np


def keep(a: np.ndarray, b: np.ndarray):
    n, n = a.shape
    n, m = b.shape
    return (a * np.eye(n)) @ b


def columns(a, b):
    n, n = a.shape
    n, m = b.shape
    return b.T @ (a * np.eye(n))


def scaled(weights, rows):
    matrix = np.diag(weights)
    return matrix @ rows


def cases(rng):
    for n, m in ((3, 2), (1, 1)):
        yield "keep", (rng.normal(size=(n, n)), rng.normal(size=(n, m))), {}
        yield "columns", (rng.normal(size=(n, n)), rng.normal(size=(n, m))), {}
        yield "scaled", (rng.normal(size=n), rng.normal(size=(n, m))), {}
