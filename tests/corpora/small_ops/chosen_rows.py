# expect: LOC306 safe scope=rows
# expect: LOC306 safe scope=leaky
# expect: LOC306 safe scope=listed
# expect: LOC306 safe scope=appended
# expect: LOC306 safe scope=rows_of_both
"""Rows and elements of tensors that a step chooses: what is not taken has no gradient."""

import numpy as np
import torch


def rows(x: torch.Tensor, y: torch.Tensor, gate: torch.Tensor):
    n, d = x.shape
    n, d = y.shape
    (n,) = gate.shape
    out = torch.zeros(n, d)
    for i in range(n):
        if gate[i] > 0:
            out[i] = x[i] * 2
        else:
            out[i] = y[i]
    return out


def leaky(x: torch.Tensor):
    n, d = x.shape
    out = torch.zeros(n, d)
    for i in range(n):
        for j in range(d):
            v = x[i, j]
            if v < 0:
                v = 0.1 * v
            out[i, j] = v
    return out


def listed(x: np.ndarray, y: np.ndarray):
    (n,) = x.shape
    (n,) = y.shape
    return np.array([x[i] if x[i] > y[i] else 2 * y[i] for i in range(n)])


def appended(x: np.ndarray):
    (n,) = x.shape
    signs = []
    for i in range(n):
        if x[i] > 0:
            signs.append(1)
        elif x[i] < 0:
            signs.append(-1)
        else:
            signs.append(0)
    return np.array(signs)


def rows_of_both(x: torch.Tensor):
    n, d = x.shape
    return torch.stack([torch.where(row > 0, row, 0.5 * row) for row in x])


def cases(rng):
    def T(*s, grad=True):
        return torch.from_numpy(rng.standard_normal(s)).float().requires_grad_(grad)

    for n, d in ((1, 1), (5, 3), (4, 1)):
        yield "rows", (T(n, d), T(n, d), T(n, grad=False)), {}
        yield "leaky", (T(n, d),), {}
        yield "rows_of_both", (T(n, d),), {}
        for dtype in (float, np.float32, int):
            numbers = np.round(2 * rng.standard_normal((2, n))).astype(dtype)
            yield "listed", tuple(numbers), {}
            yield "appended", (numbers[0],), {}
