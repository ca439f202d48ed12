# expect: ASC101 safe scope=while_up
import torch
from torch import Tensor


def while_up(x: Tensor, a: float):
    t = 0
    h = torch.zeros_like(x[:, 0])
    hs = []
    while t < x.size(1):
        h = a * h + x[:, t]
        hs.append(h)
        t += 1
    return torch.stack(hs, 1)


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "while_up", (G(2, 9, 3), 0.9), {}
    yield "while_up", (R(2, 9), 0.9), {}
