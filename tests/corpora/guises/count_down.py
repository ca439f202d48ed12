# expect: ASC101 safe scope=count_down
import torch
from torch import Tensor


def count_down(r: Tensor, gamma: float):
    T = r.shape[0]
    out = torch.zeros_like(r)
    acc = torch.zeros_like(r[0])
    t = T - 1
    while t >= 0:
        acc = r[t] + gamma * acc
        out[t] = acc
        t -= 1
    return out


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "count_down", (G(9, 3), 0.9), {}
    yield "count_down", (R(9), 0.9), {}
    yield "count_down", (G(1, 3), 0.9), {}
