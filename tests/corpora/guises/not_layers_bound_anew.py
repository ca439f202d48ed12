# refuse: ASC113 a method binds another layer
import torch
import torch.nn.functional as F
from torch import nn


class Merged(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(16, 64, bias=False)
        self.down = nn.Linear(64, 16, bias=False)

    def widen(self):
        self.up = nn.Linear(16, 64, bias=False)

    def forward(self, x):
        weight = self.down.weight @ self.up.weight
        return F.linear(x, weight)


def cases(rng):
    yield "Merged()", (torch.randn(3, 16, requires_grad=True),), {}
