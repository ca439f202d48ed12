# expect: ASC101 safe scope=enum_start
import torch
from torch import Tensor


def enum_start(x: Tensor, beta: float):
    m = torch.zeros(x.shape[1])
    outs = []
    for t, g in enumerate(x, start=1):
        m = beta * m + (1 - beta) * g
        outs.append(m / (1 - beta**t))
    return torch.stack(outs)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "enum_start", (G(9, 3), 0.9), {}
    yield "enum_start", (G(1, 3), 0.9), {}
