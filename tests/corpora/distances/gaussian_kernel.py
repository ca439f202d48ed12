# expect: SEP205 safe scope=gauss
import torch


def gauss(x, y, s):
    n, d = x.shape
    m, _ = y.shape
    out = torch.zeros(n, m)
    for i in range(n):
        for j in range(m):
            acc = 0.0
            for k in range(d):
                t = x[i, k] - y[j, k]
                acc = acc + t * t
            out[i, j] = torch.exp(-acc / (2 * s))
    return out


def cases(rng):
    x = torch.from_numpy(rng.random((5, 3))).float().requires_grad_()
    y = torch.from_numpy(rng.random((4, 3))).float().requires_grad_()
    yield "gauss", (x, y, 0.5), {}
