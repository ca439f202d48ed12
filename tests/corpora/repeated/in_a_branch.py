# expect: RED502 safe scope=normalised

import numpy as np


def normalised(x: np.ndarray, limit: float):
    if np.linalg.norm(x) > limit:
        return x * (limit / np.linalg.norm(x))
    return x


def cases(rng):
    yield "normalised", (rng.normal(size=4), 0.5), {}
    yield "normalised", (rng.normal(size=4), 50.0), {}
