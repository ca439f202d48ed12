# expect: RED507 safe scope=update
import numpy as np


def update(mean, covariance, observed, model, noise):
    predicted = model @ mean
    spread = model @ covariance @ model.T + noise
    gain = covariance @ model.T @ np.linalg.inv(spread)
    mean = mean + gain @ (observed - predicted)
    covariance = covariance - gain @ model @ covariance
    return mean, covariance


def cases(rng):
    a = rng.standard_normal((4, 4))
    h = rng.standard_normal((2, 4))
    yield "update", (rng.standard_normal(4), a @ a.T, rng.standard_normal(2), h, np.eye(2)), {}
    yield "update", (np.ones(1), np.ones((1, 1)), np.zeros(1), np.ones((1, 1)), np.ones((1, 1))), {}
