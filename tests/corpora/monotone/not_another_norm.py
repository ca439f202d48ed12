# refuse: RED506 sums of absolute values are in another order than sums of squares
import numpy as np


def nearest(points: np.ndarray, place: np.ndarray) -> int:
    return np.argmin(np.linalg.norm(points - place, ord=1, axis=1))


def cases(rng):
    for n in (2, 7):
        yield "nearest", (rng.normal(size=(n, 3)), rng.normal(size=3)), {}
