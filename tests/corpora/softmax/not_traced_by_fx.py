# refuse: the file has FX trace the module, with no values to decide by
import torch
import torch.fx
from torch import nn


class Shares(nn.Module):
    def forward(self, x: torch.Tensor):
        e = torch.exp(x - x.max(-1, keepdim=True).values)
        return e / e.sum(-1, keepdim=True)


def traced(x):
    return torch.fx.symbolic_trace(Shares())(x)


def cases(rng):
    yield "traced", (torch.tensor(rng.standard_normal((5, 3))).float(),), {}
