# expect: RED509 safe scope=mahalanobis
import numpy as np


def mahalanobis(samples: np.ndarray, mean: np.ndarray, precision: np.ndarray):
    n, d = samples.shape
    (d,) = mean.shape
    d, _ = precision.shape
    off = samples - mean
    return np.sqrt(np.diag(off.dot(precision).dot(off.T)))


def cases(rng):
    yield "mahalanobis", (rng.standard_normal((6, 3)), rng.standard_normal(3), np.eye(3)), {}
    yield "mahalanobis", (np.ones((1, 1)), np.zeros(1), np.ones((1, 1))), {}
