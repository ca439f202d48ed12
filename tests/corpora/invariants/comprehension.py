# expect: RED501 safe scope=scores

import numpy as np


def scores(rows: list, centre: np.ndarray):
    return [float(row @ np.linalg.inv(np.outer(centre, centre) + np.eye(2)) @ row) for row in rows]


def cases(rng):
    yield "scores", ([rng.normal(size=2) for _ in range(3)], rng.normal(size=2)), {}
    yield "scores", ([rng.normal(size=2)], rng.normal(size=2)), {}
