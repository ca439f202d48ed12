# refuse: SPA407 a scale is not zero anywhere
import torch
import torch.nn.functional as F
from torch import nn


class Layer(nn.Module):
    def __init__(self, n=4):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n, n))
        self.register_buffer("scale", torch.full((n, n), 2.0))

    def forward(self, x):
        return F.linear(x, self.weight * self.scale)


class Quantised(nn.Module):
    def __init__(self, n=4):
        super().__init__()
        self.register_buffer("stored", torch.randint(-9, 9, (n, n), dtype=torch.int8))
        self.register_buffer("scale", torch.ones(n, 1))

    def forward(self, x):
        return x @ (self.stored.to(x.dtype) * self.scale).t()


def cases(rng):
    yield "Quantised()", (torch.tensor(rng.standard_normal((3, 4))).float(),), {}
    yield "Layer()", (torch.tensor(rng.standard_normal((3, 4))).float(),), {}
