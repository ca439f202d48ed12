# expect: SEP205 safe scope=chamfer
import torch


def chamfer(a, b):
    d = ((a[:, :, None] - b[:, None]) ** 2).sum(-1)
    return d.min(2)[0].mean() + d.min(1)[0].mean()


def cases(rng):
    for n, m in ((5, 4), (1, 3), (2, 1)):
        a = torch.tensor(rng.normal(size=(2, n, 3)), requires_grad=True)
        b = torch.tensor(rng.normal(size=(2, m, 3)), requires_grad=True)
        yield "chamfer", (a, b), {}
