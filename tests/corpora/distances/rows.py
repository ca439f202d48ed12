# expect: SEP205 safe scope=rows
import torch


def rows(x, y):
    n, d = x.shape
    m, _ = y.shape
    out = torch.zeros(n, m)
    for i in range(n):
        for j in range(m):
            diff = x[i] - y[j]
            out[i, j] = (diff * diff).sum()
    return out


def cases(rng):
    x = torch.from_numpy(rng.random((5, 3))).float().requires_grad_()
    y = torch.from_numpy(rng.random((4, 3))).float().requires_grad_()
    yield "rows", (x, y), {}
