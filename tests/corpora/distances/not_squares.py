# refuse: SEP205 cubes are no distance
import torch


def cube(x, y):
    n, d = x.shape
    m, _ = y.shape
    out = torch.zeros(n, m)
    for i in range(n):
        for j in range(m):
            out[i, j] = ((x[i] - y[j]) ** 3).sum()
    return out


def cases(rng):
    x = torch.from_numpy(rng.random((5, 3))).float().requires_grad_()
    y = torch.from_numpy(rng.random((4, 3))).float().requires_grad_()
    yield "cube", (x, y), {}
