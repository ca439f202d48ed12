# expect: RED502 safe scope=conditioning

import numpy as np


def conditioning(a: np.ndarray):
    largest = np.linalg.svd(a, compute_uv=False)[0]
    smallest = np.linalg.svd(a, compute_uv=False)[-1]
    return largest / smallest


def cases(rng):
    yield "conditioning", (rng.normal(size=(4, 3)),), {}
    yield "conditioning", (np.ones((1, 1)),), {}
