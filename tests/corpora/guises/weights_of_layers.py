# expect: ASC113 unsafe scope=Merged.forward
# expect: ASC113 unsafe scope=Bilinear.forward
import torch
import torch.nn.functional as F
from torch import nn


class Merged(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(16, 64, bias=False)
        self.down = nn.Linear(64, 16, bias=False)

    def forward(self, x):
        weight = self.down.weight @ self.up.weight
        return F.linear(x, weight)


class Bilinear(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, width, bias=False)

    def forward(self, x: torch.Tensor):
        batch, steps, width = x.shape
        return x @ (self.query.weight.T @ self.key.weight) @ x.transpose(1, 2)


def cases(rng):
    yield "Merged()", (torch.randn(3, 16, requires_grad=True),), {}
    yield "Bilinear(5)", (torch.randn(2, 3, 5),), {}
