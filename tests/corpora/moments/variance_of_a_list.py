# expect: ASC108 advice scope=variance
# expect: ASC108 advice scope=columns
import numpy as np


def variance(data):
    n = len(data)
    mean = sum(data) / n
    return sum((x - mean) ** 2 for x in data) / n


def columns(x: np.ndarray):
    mu = np.mean(x, axis=0)
    var = np.square(x - mu).mean(axis=0)
    return (x - mu) / np.sqrt(var + 1e-8)


def cases(rng):
    yield "variance", ([1.0, 2.0, 4.0],), {}
    yield "columns", (rng.standard_normal((5, 3)),), {}
