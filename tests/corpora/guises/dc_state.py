# expect: ASC101 safe scope=dc_state
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass
class Level:
    value: torch.Tensor


def dc_state(x: Tensor, a: Tensor):
    s = Level(torch.zeros_like(x[0]))
    outs = []
    for t in range(x.shape[0]):
        s.value = a * s.value + x[t]
        outs.append(s.value)
    return torch.stack(outs)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    def U(*s):
        return torch.tensor(rng.random(s), dtype=torch.float32)

    yield "dc_state", (G(9, 3), U(3)), {}
    yield "dc_state", (G(1, 3), U(3)), {}
