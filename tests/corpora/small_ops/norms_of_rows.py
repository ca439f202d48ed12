# expect: LOC306 safe scope=unit_rows
# expect: LOC306 safe scope=traces
# expect: LOC306 safe scope=from_one
# expect: LOC306 safe scope=lengths
# expect: LOC306 safe scope=largest
# expect: SEP205 safe scope=between
"""Norms, traces and extrema of one row or matrix after the other."""

import numpy as np
import torch


def unit_rows(x: torch.Tensor):
    assert x.ndim == 2
    rows = [row / row.norm() for row in x]
    return torch.stack(rows)


def traces(x: torch.Tensor):
    assert x.ndim == 3
    out = torch.zeros(x.size(0), dtype=x.dtype)
    for i in range(x.size(0)):
        out[i] = torch.trace(x[i])
    return out


def from_one(x: np.ndarray, y: np.ndarray):
    assert x.ndim == 2 and y.ndim == 1
    return np.array([np.linalg.norm(x[i] - y) for i in range(len(x))])


def lengths(x: np.ndarray):
    n, _ = x.shape
    out = np.zeros(n)
    for i in range(n):
        out[i] = np.linalg.norm(x[i]) + 1
    return out


def largest(x: np.ndarray):
    n, _ = x.shape
    return np.stack([x[i] - x[i].max() for i in range(n)])


def between(x: np.ndarray, y: np.ndarray):
    assert x.ndim == 2 and y.ndim == 2
    n, m = len(x), len(y)
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = np.linalg.norm(x[i] - y[j])
    return out


def cases(rng):
    def tensor(*shape):
        return torch.from_numpy(rng.standard_normal(shape)).requires_grad_()

    for n, d in ((1, 1), (4, 3), (2, 5)):
        yield "unit_rows", (tensor(n, d),), {}
        yield "traces", (tensor(n, d, d),), {}
        yield "from_one", (rng.standard_normal((n, d)), rng.standard_normal(d)), {}
        yield "lengths", (rng.standard_normal((d, n)).T,), {}
        yield "largest", (rng.standard_normal((n, d)),), {}
        yield "between", (rng.standard_normal((n, d)), rng.standard_normal((3, d))), {}
