# may: LOC301 safe|advice scope=scaled
# refuse: SEP205 each feature has a weight
import torch


def scaled(x, y, w):
    n, d = x.shape
    m, _ = y.shape
    out = torch.zeros(n, m)
    for i in range(n):
        for j in range(m):
            for k in range(d):
                out[i, j] += w[k] * (x[i, k] - y[j, k]) ** 2
    return out


def cases(rng):
    x = torch.from_numpy(rng.random((5, 3))).float().requires_grad_()
    y = torch.from_numpy(rng.random((4, 3))).float().requires_grad_()
    yield "scaled", (x, y, torch.from_numpy(rng.random(3)).float()), {}
