# may: SPA403 safe scope=Mixture.forward
"""Nothing reads the sum, but the line that adds to it needs it."""

import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self, width: int, count: int):
        super().__init__()
        self.gate = nn.Linear(width, count)
        self.experts = nn.ModuleList(nn.Linear(width, width) for _ in range(count))

    def forward(self, x):
        best, which = self.gate(x).softmax(-1).max(dim=-1)
        out = torch.zeros_like(x)
        for e in range(len(self.experts)):
            mask = which == e
            if mask.any():
                out[mask] = best[mask].unsqueeze(-1) * self.experts[e](x[mask])
        return x


def cases(rng):
    x = torch.tensor(rng.standard_normal((5, 3)), dtype=torch.float32)
    yield "Mixture(3, 2)", (x,), {}
