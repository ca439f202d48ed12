# expect: SPA407 advice scope=Layer.forward
import torch
import torch.nn.functional as F
from torch import nn


class Layer(nn.Module):
    def __init__(self, n=4):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n, n))
        self.register_buffer("keep", torch.ones(n, n).tril())

    def forward(self, x):
        w = self.weight * self.keep
        return F.linear(x, w)


def cases(rng):
    yield "Layer()", (torch.tensor(rng.standard_normal((3, 4))).float(),), {}
