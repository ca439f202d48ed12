# expect: SEP205 safe scope=swapped
import torch


def swapped(x, y):
    n, d = x.shape
    m, _ = y.shape
    out = torch.zeros(m, n)
    for i in range(n):
        for j in range(m):
            out[j, i] = torch.square(x[i] - y[j]).sum()
    return out


def cases(rng):
    x = torch.from_numpy(rng.random((5, 3))).float().requires_grad_()
    y = torch.from_numpy(rng.random((4, 3))).float().requires_grad_()
    yield "swapped", (x, y), {}
