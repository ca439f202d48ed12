# expect: ASC106 safe scope=columns
# expect: ASC106 safe scope=pooled
# expect: ASC106 safe scope=means
"""Sums over one axis, added up cell by cell or put into an array row by row."""

from __future__ import annotations

import numpy as np
import torch


def columns(x: np.ndarray):
    n, m = x.shape
    out = np.ones(m)
    for j in range(m):
        for i in range(n):
            out[j] += x[i, j]
    return out


def pooled(x: torch.Tensor):
    b, n, d = x.shape
    out = torch.zeros(b, d)
    for i in range(b):
        for j in range(n):
            for k in range(d):
                out[i, k] = out[i, k] + x[i, j, k]
    return out


def means(x: torch.Tensor):
    b, n, d = x.shape
    out = x.new_zeros(b, d)
    for i in range(b):
        for k in range(d):
            out[i, k] = x[i, :, k].mean()
    return out


def cases(rng):
    for n in (1, 2, 5):
        yield "columns", (rng.standard_normal((n, 3)),), {}
        x = torch.from_numpy(rng.standard_normal((2, n, 3)).astype("float32"))
        yield "pooled", (x,), {}
        yield "means", (x.clone().requires_grad_(),), {}
    yield "columns", (np.asfortranarray(rng.standard_normal((4, 3))),), {}
    yield "columns", (rng.integers(0, 9, (4, 3)),), {}
