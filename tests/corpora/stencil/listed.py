# expect: LOC302 safe scope=slopes
# expect: LOC302 safe scope=smoothed
# expect: LOC302 safe scope=largest
# expect: LOC302 safe scope=framed
"""Neighbours in lists that are made arrays, the largest of windows, frames of zeros."""

import numpy as np
import torch


def slopes(x: torch.Tensor):
    (n,) = x.shape
    return torch.stack([0.5 * (x[i + 1] - x[i - 1]) for i in range(1, n - 1)])


def smoothed(x: np.ndarray):
    (n, d) = x.shape
    rows = []
    for i in range(1, n - 1):
        rows.append((x[i - 1] + 2 * x[i] + x[i + 1]) / 4)
    return np.array(rows)


def largest(x: np.ndarray):
    n, m = x.shape
    out = np.empty((n // 2, m // 2))
    for i in range(n // 2):
        for j in range(m // 2):
            out[i, j] = x[2 * i : 2 * i + 2, 2 * j : 2 * j + 2].max()
    return out


def framed(x: np.ndarray):
    n, m = x.shape
    p = np.pad(x, 1)
    out = np.zeros_like(x)
    for i in range(n):
        for j in range(m):
            out[i, j] = p[i : i + 3, j : j + 3].mean()
    return out


def cases(rng):
    for n, m in ((3, 1), (8, 5), (4, 2)):
        yield "slopes", (torch.from_numpy(rng.standard_normal(n)).requires_grad_(),), {}
        yield "smoothed", (rng.standard_normal((n, m)),), {}
        yield "largest", (rng.standard_normal((n, m)),), {}
        yield "framed", (rng.standard_normal((n, m)),), {}
