# expect: SEP205 safe scope=sq
import torch


def sq(x, y):
    n, d = x.shape
    m = y.shape[0]
    out = torch.zeros(n, m)
    for i in range(n):
        for j in range(m):
            for k in range(d):
                out[i, j] += (x[i, k] - y[j, k]) ** 2
    return out


def cases(rng):
    x = torch.from_numpy(rng.random((5, 3))).float().requires_grad_()
    y = torch.from_numpy(rng.random((4, 3))).float().requires_grad_()
    yield "sq", (x, y), {}
