# expect: SPA402 unsafe scope=scaled
import numpy as np


def open_table(folder: dict, name: str):
    return folder[name]


def scaled(folder: dict, name: str, weights: np.ndarray):
    (n,) = weights.shape
    table = open_table(folder, name)
    return np.diag(weights) @ table


def cases(rng):
    weights, rows = rng.normal(size=3), rng.normal(size=(3, 2))
    yield "scaled", ({"a": rows}, "a", weights), {}
    yield "scaled", ({"a": np.ones(3)}, "a", weights), {}
