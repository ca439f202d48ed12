# refuse: RED506 two more than the exponential: at half of it the score is another number than 0
import numpy as np


def squash(score):
    return 1 / (2 + np.exp(-score))


def labels(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return squash(rows @ weights) >= 0.5


def cases(rng):
    for n in (1, 7):
        yield "labels", (rng.normal(size=(n, 3)), rng.normal(size=3)), {}
