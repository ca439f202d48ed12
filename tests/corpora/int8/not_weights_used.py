# refuse: RED508 the numbers are wanted as well
import torch
import torch.nn.functional as F
from torch import nn


class Scaled(nn.Module):
    def __init__(self, size: int, out: int):
        super().__init__()
        self.register_buffer("codes", torch.ones((out, size), dtype=torch.int8))
        self.register_buffer("scales", torch.rand(out))

    def forward(self, x):
        weight = self.codes.to(x.dtype) * self.scales[:, None]
        return F.linear(x, weight), weight.norm()


def cases(rng):
    yield "Scaled(6, 5)", (torch.randn(4, 6),), {}
