# expect: ASC102 advice scope=scan
# refuse: the kernel takes tensors, these are arrays of NumPy
"""A reference in NumPy, for tests of a kernel."""

from __future__ import annotations

import numpy as np


def scan(x, dt, A, B, C):
    batch, length, channels = x.shape
    h = np.zeros((batch, channels, A.shape[1]))
    y = np.zeros((batch, length, channels))
    for t in range(length):
        decay = np.exp(dt[:, t, :, None] * A)
        h = decay * h + dt[:, t, :, None] * B[:, t, None, :] * x[:, t, :, None]
        y[:, t] = np.einsum("bdn,bn->bd", h, C[:, t])
    return y


def cases(rng):
    for length in (1, 5):
        x, dt = rng.standard_normal((2, 2, length, 3))
        B, C = rng.standard_normal((2, 2, length, 4))
        yield "scan", (x, np.abs(dt), -rng.random((3, 4)), B, C), {}
