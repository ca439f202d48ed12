# expect: LOC305 safe scope=accelerate
"""Slices of rows and columns, in NumPy; the constant stands before the sum."""

import numpy as np

G = 6.674e-3


def accelerate(pos, mass, softening: float = 0.1):
    d = pos[np.newaxis, :, :] - pos[:, np.newaxis, :]
    inv = (np.sum(d**2, axis=-1) + softening**2) ** -1.5
    return G * np.sum(mass[np.newaxis, :, np.newaxis] * d * inv[:, :, np.newaxis], axis=1)


def cases(rng):
    for n, d, dtype in ((9, 3, "float64"), (1, 2, "float32"), (4, 4, "float64")):
        pos = rng.normal(size=(2 * n, d)).astype(dtype)[::2]
        yield "accelerate", (pos, rng.random(n).astype(dtype)), {}
