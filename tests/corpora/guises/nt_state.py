# expect: ASC101 safe scope=nt_state
from typing import NamedTuple

import torch
from torch import Tensor


class St(NamedTuple):
    m: torch.Tensor
    v: torch.Tensor


def nt_state(x: Tensor, a: Tensor, b: Tensor):
    s = St(torch.zeros_like(x[0]), torch.zeros_like(x[0]))
    outs = []
    for t in range(x.shape[0]):
        s = St(m=a * s.m + (1 - a) * x[t], v=b * s.v + (1 - b) * x[t] ** 2)
        outs.append(s.m / (s.v.sqrt() + 1e-8))
    return torch.stack(outs)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    def U(*s):
        return torch.tensor(rng.random(s), dtype=torch.float32)

    yield "nt_state", (G(9, 3), U(3), U(3)), {}
    yield "nt_state", (G(1, 3), U(3), U(3)), {}
