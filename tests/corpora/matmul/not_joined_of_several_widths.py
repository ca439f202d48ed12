# refuse: LOC301 the matrices of a list have several widths
import torch


def joined(x, ws):
    n, d = x.shape
    return torch.cat([x @ w for w in ws], dim=-1)


def cases(rng):
    def made(*shape):
        return torch.tensor(rng.standard_normal(shape)).float().requires_grad_()

    for n in (5, 1):
        yield "joined", (made(n, 3), [made(3, 2), made(3, 4)]), {}
