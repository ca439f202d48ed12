# expect: SEP205 safe scope=root
import torch


def root(x, y):
    n, d = x.shape
    m, _ = y.shape
    out = torch.zeros(n, m)
    for j in range(m):
        for i in range(n):
            out[i, j] = torch.sqrt(torch.sum((x[i] - y[j]) ** 2))
    return out


def cases(rng):
    x = torch.from_numpy(rng.random((5, 3))).float().requires_grad_()
    y = torch.from_numpy(rng.random((4, 3))).float().requires_grad_()
    yield "root", (x, y), {}
