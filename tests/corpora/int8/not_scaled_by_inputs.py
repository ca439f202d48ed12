# refuse: RED508 there is a scale for each input, not for each output
import torch
import torch.nn.functional as F
from torch import nn


class Scaled(nn.Module):
    def __init__(self, size: int, out: int):
        super().__init__()
        self.register_buffer("codes", torch.ones((out, size), dtype=torch.int8))
        self.register_buffer("scales", torch.rand(size))

    def forward(self, x):
        return F.linear(x, self.codes.to(x.dtype) * self.scales)


def cases(rng):
    yield "Scaled(6, 5)", (torch.randn(4, 6),), {}
