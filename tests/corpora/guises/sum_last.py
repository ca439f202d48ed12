# expect: ASC105 safe scope=sum_last
import torch
from torch import Tensor


def sum_last(x: Tensor):
    s = torch.zeros_like(x[0])
    out = []
    for v in x:
        s = s + v
        out.append(s)
    return torch.stack(out), s


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "sum_last", (G(7, 3),), {}
    yield "sum_last", (R(7),), {}
    yield "sum_last", (R(1, 3),), {}
    yield "sum_last", (torch.arange(12).reshape(4, 3),), {}
