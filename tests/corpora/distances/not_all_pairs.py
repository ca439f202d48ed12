# refuse: SEP205 some pairs are left out
import torch


def early(x, y):
    n, d = x.shape
    m, _ = y.shape
    out = torch.zeros(n, m)
    for i in range(n):
        for j in range(m):
            if i == j:
                continue
            out[i, j] = ((x[i] - y[j]) ** 2).sum()
    return out


def cases(rng):
    x = torch.from_numpy(rng.random((5, 3))).float().requires_grad_()
    y = torch.from_numpy(rng.random((4, 3))).float().requires_grad_()
    yield "early", (x, y), {}
