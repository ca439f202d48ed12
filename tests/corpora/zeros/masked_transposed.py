# expect: SPA407 advice scope=Layer.forward
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, n=4):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n, n))
        self.register_buffer("mask", torch.rand(n, n) > 0.9)

    def forward(self, x):
        return x @ (self.weight * self.mask.float()).T


def cases(rng):
    yield "Layer()", (torch.tensor(rng.standard_normal((3, 4))).float(),), {}
