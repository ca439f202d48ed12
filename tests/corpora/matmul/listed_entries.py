# expect: LOC301 safe scope=entries
# expect: LOC301 safe scope=dots
# expect: LOC301 safe scope=sums
# expect: LOC301 safe scope=batches
# expect: LOC301 safe scope=nested
# refuse: SYM602 the rows are of two matrices
"""Products of matrices whose entries or rows are put into lists."""

import numpy as np
import torch


def entries(a: np.ndarray, b: np.ndarray):
    (n, k), (k, m) = a.shape, b.shape
    return np.array(
        [[sum(a[i, p] * b[p, j] for p in range(k)) for j in range(m)] for i in range(n)]
    )


def dots(a: torch.Tensor, x: torch.Tensor):
    assert a.ndim == 2 and x.ndim == 1
    n = a.shape[0]
    rows = []
    for i in range(n):
        rows.append((a[i] * x).sum())
    return torch.stack(rows)


def sums(a: np.ndarray, b: np.ndarray):
    (n, k), (m, k) = a.shape, b.shape
    out = []
    for i in range(n):
        row = []
        for j in range(m):
            total = 0.0
            for p in range(k):
                total += a[i, p] * b[j, p]
            row.append(total)
        out.append(row)
    return np.array(out)


def batches(a: torch.Tensor, b: torch.Tensor):
    assert a.ndim == 3 and b.ndim == 3
    n = a.size(0)
    out = []
    for i in range(n):
        out.append(torch.mm(a[i], b[i]))
    return torch.stack(out, 0)


def nested(a: torch.Tensor, b: torch.Tensor):
    assert a.ndim == 2 and b.ndim == 2
    n, m = len(a), len(b)
    rows = []
    for i in range(n):
        rows.append(torch.stack([(a[i] * b[j]).sum() for j in range(m)]))
    return torch.stack(rows, dim=1)


def cases(rng):
    def tensor(*shape):
        return torch.from_numpy(rng.standard_normal(shape)).requires_grad_()

    for n, k, m in ((1, 1, 1), (4, 3, 2), (2, 1, 5), (3, 4, 1)):
        yield "entries", (rng.standard_normal((n, k)), rng.standard_normal((k, m))), {}
        yield "dots", (tensor(n, k), tensor(k)), {}
        yield "sums", (rng.standard_normal((n, k)), rng.standard_normal((m, k))), {}
        yield "batches", (tensor(n, m, k), tensor(n, k, 2)), {}
        yield "nested", (tensor(n, k), tensor(m, k)), {}
