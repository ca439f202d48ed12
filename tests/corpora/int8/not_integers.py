# refuse: RED508 nothing says that the weights are integers of 8 bits
import torch
import torch.nn.functional as F
from torch import nn


class Scaled(nn.Module):
    def __init__(self, size: int, out: int):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(out, size))
        self.register_buffer("wide", torch.ones((out, size), dtype=torch.int16))
        self.register_buffer("scales", torch.ones(out))

    def forward(self, x):
        wide = F.linear(x, self.wide.to(x.dtype)) * self.scales
        return F.linear(x, self.weight.to(x.dtype)) * self.scales + wide


def cases(rng):
    yield "Scaled(6, 5)", (torch.randn(4, 6),), {}
