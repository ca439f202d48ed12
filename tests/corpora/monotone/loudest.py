# expect: RED506 safe scope=loudest
import numpy as np


def loudest(levels):
    """levels: array of shape (channels, frames)"""
    channels, frames = levels.shape
    power = np.exp(levels)
    return power.max(axis=1)


def cases(rng):
    yield "loudest", (rng.standard_normal((3, 7)),), {}
    yield "loudest", (rng.standard_normal((1, 1)).astype(np.float32),), {}
