# expect: ASC110 advice scope=nearest
import numpy as np


def nearest(points, query, k):
    distances = np.linalg.norm(points - query, axis=1)
    places = distances.argsort()[:k]
    return points[places].mean(axis=0)


def cases(rng):
    yield "nearest", (rng.standard_normal((6, 3)), rng.standard_normal(3), 2), {}
