# refuse: SEP205 sums of absolute values
import torch


def l1(x, y):
    n, d = x.shape
    m, _ = y.shape
    out = torch.zeros(n, m)
    for i in range(n):
        for j in range(m):
            out[i, j] = torch.abs(x[i] - y[j]).sum()
    return out


def cases(rng):
    x = torch.from_numpy(rng.random((5, 3))).float().requires_grad_()
    y = torch.from_numpy(rng.random((4, 3))).float().requires_grad_()
    yield "l1", (x, y), {}
