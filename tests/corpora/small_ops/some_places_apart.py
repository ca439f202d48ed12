# expect: LOC306 safe scope=expand
# expect: LOC306 safe scope=decimate
# expect: LOC306 safe scope=thin
import numpy as np


def expand(x, factor):
    out = np.zeros(len(x) * factor)
    for i in range(len(x)):
        out[i * factor] = x[i]
    return out


def decimate(x, factor):
    n = len(x) // factor
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[i * factor]
    return out


def thin(image: np.ndarray, s: int):
    height, width = image.shape
    out = np.zeros((height // s, width // s))
    for i in range(height // s):
        for j in range(width // s):
            out[i, j] = 2 * image[i * s, j * s]
    return out


def cases(rng):
    yield "expand", (rng.standard_normal(5), 3), {}
    yield "expand", (rng.standard_normal(0), 1), {}
    yield "decimate", (rng.standard_normal(11), 3), {}
    yield "decimate", (rng.standard_normal(2), 3), {}
    yield "thin", (rng.standard_normal((7, 8)), 3), {}
