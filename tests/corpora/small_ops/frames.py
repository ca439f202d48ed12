# expect: LOC306 safe scope=frames
# expect: LOC306 safe scope=columns
# expect: LOC306 safe scope=blocks
import numpy as np


def frames(signal, size, hop):
    count = 1 + (len(signal) - size) // hop
    out = np.zeros((count, size))
    for i in range(count):
        out[i] = signal[i * hop : i * hop + size]
    return out


def columns(image: np.ndarray, k: int):
    height, width = image.shape
    out = np.zeros((height - k + 1, width - k + 1, k, k))
    for i in range(height - k + 1):
        for j in range(width - k + 1):
            out[i, j] = image[i : i + k, j : j + k]
    return out


def blocks(image: np.ndarray, p: int):
    height, width = image.shape
    out = np.zeros((height // p, width // p, p, p))
    for i in range(height // p):
        for j in range(width // p):
            out[i, j] = image[i * p : (i + 1) * p, j * p : (j + 1) * p]
    return out


def cases(rng):
    yield "frames", (rng.standard_normal(19), 5, 3), {}
    yield "frames", (rng.standard_normal(5), 5, 3), {}
    yield "columns", (rng.standard_normal((6, 7)), 3), {}
    yield "blocks", (rng.standard_normal((7, 10)), 3), {}
