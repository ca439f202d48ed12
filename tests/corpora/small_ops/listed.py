# expect: LOC306 safe scope=appended
# expect: LOC306 safe scope=along
# expect: LOC306 safe scope=differences
# expect: LOC306 safe scope=walked
# expect: LOC306 safe scope=named
# expect: LOC306 safe scope=nested
"""Arrays that are made of lists of what each step computes."""

import numpy as np
import torch
import torch.nn.functional as F


def appended(x: torch.Tensor, w: torch.Tensor):
    assert x.ndim == 2 and w.ndim == 1
    n = len(x)
    rows = []
    for i in range(n):
        scaled = x[i] * w
        rows.append(F.relu(scaled) + x[i])
    return torch.stack(rows)


def along(x: torch.Tensor, w: torch.Tensor):
    assert x.ndim == 2 and w.ndim == 1
    n = len(x)
    columns = [torch.tanh(x[i] * w) for i in range(n)]
    return torch.stack(columns, dim=-1)


def differences(a: np.ndarray, b: np.ndarray):
    assert a.ndim == 1 and b.ndim == 1
    return np.array([[np.exp(-abs(p - q)) for q in b] for p in a])


def walked(a: np.ndarray, b: np.ndarray):
    assert a.ndim == 2 and b.ndim == 2 and len(a) == len(b)
    return np.array([np.sqrt(np.sum((p - q) ** 2)) for p, q in zip(a, b)])


def named(a: np.ndarray):
    (n, d) = a.shape
    rows = [row - row.mean() for row in a]
    out = np.stack(rows, axis=1)
    return out, len(a)


def nested(a: np.ndarray, b: np.ndarray):
    (n,), (m,) = a.shape, b.shape
    table = []
    for i in range(n):
        row = []
        for j in range(m):
            row.append(a[i] * b[j] + a[i])
        table.append(row)
    return np.array(table)


def cases(rng):
    def tensor(*shape):
        return torch.from_numpy(rng.standard_normal(shape)).requires_grad_()

    for n, d in ((1, 1), (4, 3), (3, 1), (1, 5)):
        yield "appended", (tensor(n, d), tensor(d)), {}
        yield "along", (tensor(n, d), tensor(d)), {}
        yield "differences", (rng.standard_normal(n), rng.standard_normal(d)), {}
        yield "walked", (rng.standard_normal((n, d)), rng.standard_normal((n, d))), {}
        yield "named", (rng.standard_normal((d, n)).T,), {}
        yield "nested", (rng.standard_normal(n), rng.standard_normal(d)), {}
