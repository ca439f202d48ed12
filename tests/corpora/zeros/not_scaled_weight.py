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


def cases(rng):
    yield "Layer()", (torch.tensor(rng.standard_normal((3, 4))).float(),), {}
