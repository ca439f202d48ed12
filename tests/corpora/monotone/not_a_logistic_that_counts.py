# refuse: RED506 the helper notes that it was called
import numpy as np

calls = []


def logistic(score):
    calls.append(score.size)
    return 1 / (1 + np.exp(-score))


def labels(rows: np.ndarray, weights: np.ndarray):
    calls.clear()
    return logistic(rows @ weights) >= 0.5, list(calls)


def cases(rng):
    for n in (1, 7):
        yield "labels", (rng.normal(size=(n, 3)), rng.normal(size=3)), {}
