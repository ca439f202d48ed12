# refuse: the object itself is kept
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass
class Level:
    value: torch.Tensor


def obj_kept(x: Tensor, a: float):
    s = Level(torch.zeros_like(x[0]))
    out = []
    for t in range(len(x)):
        s.value = a * s.value + x[t]
        out.append(s)
    return [o.value for o in out]


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "obj_kept", (R(7, 3), 0.5), {}
