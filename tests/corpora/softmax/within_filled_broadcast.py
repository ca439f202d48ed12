# expect: ASC107 safe scope=f
import torch
from torch import Tensor


def f(x: Tensor):
    rows, width = x.shape
    out = torch.zeros_like(x)
    for i in range(rows):
        top = x[i].max()
        out[i] = top + torch.log(torch.exp(x[i] - top).sum())
    return out


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "f", (G(4, 3),), {}
