# expect: ASC107 safe scope=attend
# may: LOC304 advice scope=attend
import numpy as np


def attend(q: np.ndarray, k: np.ndarray, v: np.ndarray):
    length, size = q.shape
    place = np.arange(length)
    near = np.abs(place[:, None] - place) <= 3
    scores = np.where(near, q @ k.T / np.sqrt(size), -np.inf)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (weights / weights.sum(axis=1, keepdims=True)) @ v


def cases(rng):
    for length in (1, 8):
        yield "attend", tuple(rng.standard_normal((length, 3)) for _ in range(3)), {}
