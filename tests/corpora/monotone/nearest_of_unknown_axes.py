# expect: RED506 unsafe scope=nearest
import numpy as np


def nearest(points, query):
    distances = np.sqrt(((points - query) ** 2).sum(axis=1))
    return np.argmin(distances)


def cases(rng):
    yield "nearest", (rng.standard_normal((5, 3)), rng.standard_normal(3)), {}
